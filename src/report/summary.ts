import type { ProgramReport } from '../model/handler.js';
import { count } from './printable.js';
import { causesOf, countByRule, countByVerdict, suppressedCausesOf } from './shared.js';

/** The parts of the one line that sums up; each format joins and colours them in its own way. */
export interface Summary {
  coverage: string;
  findings: string;
  clean: boolean;
  /** What is not among the findings. */
  beside: string[];
  problems?: string;
}

export function summaryOf(report: ProgramReport): Summary {
  const causes = causesOf(report.handlers);
  const suppressed = suppressedCausesOf(report.handlers).length;
  const broken = new Set(report.problems.map((p) => p.file)).size;
  const verdicts = Object.entries(countByVerdict(report.handlers)).filter(([, n]) => n > 0).map(([verdict, n]) => `${n} ${verdict}`);
  const rules = Object.entries(countByRule(causes)).map(([rule, n]) => `${n} ${rule}`);
  return {
    coverage: `${count(report.handlers.length, 'handler')} in ${count(report.files, 'file')}${verdicts.length > 0 ? ` (${verdicts.join(', ')})` : ''}`,
    findings: causes.length === 0 ? 'no findings' : `${count(causes.length, 'finding')} (${rules.join(', ')})`,
    clean: causes.length === 0,
    beside: [
      ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
      ...(report.unchanged ? [`${report.unchanged} in unchanged code`] : []),
      ...(report.unresolved > 0 ? [`${count(report.unresolved, 'unknown call')}`] : []),
    ],
    ...(broken > 0 && { problems: `${count(broken, 'file')} with problems` }),
  };
}

export function summaryLine(report: ProgramReport): string {
  const { coverage, findings, beside, problems } = summaryOf(report);
  return [coverage, findings, ...beside, ...(problems === undefined ? [] : [problems])].join(', ');
}
