import type { Finding, SuppressedFinding, Suppression } from '../model/finding.js';
import type { ProgramReport } from '../model/handler.js';

/** The report in which those findings no longer count for which a reason is given. */
export function suppress(report: ProgramReport, reasonFor: (finding: Finding) => Suppression | undefined): ProgramReport {
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
