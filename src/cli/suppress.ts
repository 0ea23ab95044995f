import type { Finding, SuppressedFinding, Suppression } from '../model/finding.js';
import type { HandlerReport } from '../model/handler.js';

/** The report in which those findings no longer count for which a reason is given. */
export function suppress<R extends { handlers: HandlerReport[] }>(report: R, reasonFor: (finding: Finding) => Suppression | undefined): R {
  return {
    ...report,
    handlers: report.handlers.map((handler) => {
      const findings: Finding[] = [];
      const suppressed: SuppressedFinding[] = [...handler.suppressed];
      for (const f of handler.findings) {
        const suppression = reasonFor(f);
        if (suppression) suppressed.push({ ...f, suppression });
        else findings.push(f);
      }
      return { ...handler, findings, suppressed };
    }),
  };
}
