import { createHash } from 'node:crypto';
import type { Finding, SuppressedFinding } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { markup, Markup, prose } from './markup.js';
import { script } from './page-script.js';
import { style } from './page-style.js';
import { picture } from './picture.js';
import { count } from './printable.js';
import { causesOf, countByRule, countByVerdict, suppressedCausesOf, type Cause } from './shared.js';
import { wayOut } from './text.js';
import type { Tool } from './tool.js';

const VERDICTS = ['unsafe', 'unproven', 'safe'] as const;

const VERDICT_TEXT = {
  unsafe: 'a crash or a repeat does harm',
  unproven: 'some of it could not be seen',
  safe: 'a repeat does nothing',
};

const ACKNOWLEDGED = {
  'on-return': 'acknowledged when it returns',
  explicit: 'acknowledged by a call',
  'on-delivery': 'acknowledged on delivery',
  none: 'never acknowledged',
};

/** One page that needs nothing else: every handler, its timeline as a picture, its findings, and filters. */
export function toHtml(report: ProgramReport, tool: Tool): string {
  const causes = causesOf(report.handlers);
  // Nothing is loaded, and nothing runs but the page's own script, whatever the names in the code hold.
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '${hash(style)}'; script-src '${hash(script)}'`;
  const order = [...report.handlers].sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Message handlers: ${count(causes.length, 'finding')}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header>
<h1>Message handlers</h1>
<p class="muted">What a crash or a second delivery of the same message does to each of them.</p>
${tiles(report, causes)}
${legend()}
</header>
${filters(report, causes)}
<main>
<h2>Handlers</h2>
${order.map((h, i) => handlerCard(h, `h${i}`, causes))}
<p class="none"${new Markup(report.handlers.length > 0 ? ' hidden' : '')}>${report.handlers.length > 0 ? 'No handler fits these filters.' : 'No handler was found.'}</p>
${problems(report)}
</main>
<footer>${tool.name} ${tool.version}. Paths are relative to <code>${report.root}</code>.</footer>
<script>${new Markup(script)}</script>
</body>
</html>`);
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function tiles(report: ProgramReport, causes: readonly Cause[]): Markup {
  const verdicts = countByVerdict(report.handlers);
  const suppressed = suppressedCausesOf(report.handlers).length;
  const tile = (n: number, what: string, name = ''): Markup => markup`<li><b class="${name}">${n}</b> ${what}</li>\n`;
  return markup`<ul class="tiles">
${tile(causes.length, causes.length === 1 ? 'finding' : 'findings')}${VERDICTS.map((v) => tile(verdicts[v], v, v))}${tile(report.handlers.length, report.handlers.length === 1 ? 'handler' : 'handlers')}${tile(report.files, report.files === 1 ? 'file' : 'files')}${suppressed > 0 && tile(suppressed, 'suppressed')}${report.unchanged ? tile(report.unchanged, 'in unchanged code') : ''}${report.unresolved > 0 && tile(report.unresolved, 'unknown calls')}</ul>`;
}

function legend(): Markup {
  const sign = (inner: Markup, what: string): Markup => markup`<li><svg class="timeline" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">${inner}</svg>${what}</li>`;
  return markup`<ul class="legend">${sign(markup`<rect class="broker" x="1" y="1" width="12" height="12" rx="2"/>`, 'broker: the acknowledgement')}${sign(markup`<circle class="store" cx="7" cy="7" r="6"/>`, 'store: written')}${sign(markup`<circle class="store hollow" cx="7" cy="7" r="5"/>`, 'store: read')}${sign(markup`<rect class="transaction" x="3" width="8" height="14" rx="4"/>`, 'transaction')}${sign(markup`<path class="outside" d="M7 0l7 7-7 7-7-7z"/>`, 'outside: cannot be rolled back')}${sign(markup`<rect class="window" x="1" y="1" width="12" height="12"/>`, 'a crash here hurts')}</ul>`;
}

function filters(report: ProgramReport, causes: readonly Cause[]): Markup {
  const verdicts = countByVerdict(report.handlers);
  const clients = [...new Set(report.handlers.map((h) => h.client))].sort((a, b) => a.localeCompare(b));
  const option = (value: string, text = value): Markup => markup`<option value="${value}">${text}</option>`;
  return markup`<form hidden aria-label="Filters">
<label>Search <input type="search" name="text" placeholder="name or file"></label>
<label>Rule <select name="rule">${option('', 'all')}${Object.entries(countByRule(causes)).map(([rule, n]) => option(rule, `${rule} (${n})`))}</select></label>
<label>Client <select name="client">${option('', 'all')}${clients.map((c) => option(c))}</select></label>
<fieldset><legend>Verdict</legend>${VERDICTS.map((v) => markup`<label title="${VERDICT_TEXT[v]}"><input type="checkbox" name="verdict" value="${v}" checked> <span class="${v}">${v} (${verdicts[v]})</span></label> `)}</fieldset>
<button type="reset">Reset</button>
<output aria-live="polite"></output>
</form>`;
}

function handlerCard(h: HandlerReport, id: string, causes: readonly Cause[]): Markup {
  const own = causes.filter((c) => c.handlers.includes(h));
  const rules = [...new Set(own.map((c) => c.finding.rule))];
  const drawn = picture(h, id);
  return markup`<details class="handler" id="${id}" data-rules="${rules.join(' ')}" data-client="${h.client}" data-verdict="${h.verdict}" data-text="${`${h.name} ${h.place.file}`}"${new Markup(own.length > 0 ? ' open' : '')}>
<summary><b>${h.name}</b> <span class="muted">${h.client}</span> <span class="mono">${at(h.place)}</span> <span class="chip ${h.verdict}">${h.verdict}</span>${rules.map((r) => markup` <span class="chip">${r}</span>`)}</summary>
<div class="body">
<p class="muted">${[ACKNOWLEDGED[h.acknowledgement], `registered at ${at(h.registeredAt)}`, ...(h.guards.length > 0 ? [`guarded by ${h.guards.join(', ')}`] : []), ...(h.unresolved > 0 ? [`${count(h.unresolved, 'call')} could not be resolved`] : [])].join('; ')}</p>
${drawn ?? markup`<div class="muted">No effect was seen.</div>`}
<ul class="findings">${own.map(findingItem)}${h.suppressed.map(suppressedItem)}</ul>
</div>
</details>
`;
}

function findingItem({ finding, handlers }: Cause): Markup {
  return markup`<li class="${finding.severity}">${heading(finding)}
<p>${prose(finding.message)}</p>
${finding.trace.length > 0 && markup`<ul>${finding.trace.map((t) => markup`<li><span class="mono">${at(t.place)}</span> ${prose(t.message)}</li>`)}</ul>`}
${wayOut(finding).map((line) => markup`<p class="muted">${prose(line)}</p>`)}
${handlers.length > 1 && markup`<p>Affects ${handlers.length} handlers: ${handlers.map((h, i) => markup`${i > 0 && ', '}${h.name} (<span class="mono">${at(h.place)}</span>)`)}</p>`}</li>
`;
}

function suppressedItem(finding: SuppressedFinding): Markup {
  const { by, reason } = finding.suppression;
  return markup`<li class="suppressed">${heading(finding)}
<p>Suppressed by ${by === 'comment' ? 'a comment' : 'the baseline'}${reason !== undefined && `: ${reason}`}</p></li>
`;
}

function heading(finding: Finding): Markup {
  return markup`<b>${finding.rule}</b> <span class="mono muted">${at(finding.place)}</span>`;
}

function problems(report: ProgramReport): Markup | undefined {
  if (report.problems.length === 0) return undefined;
  return markup`<h2>Could not be read or analysed in full</h2>
<ul>${report.problems.map((p) => markup`<li><span class="mono">${p.file === '' ? '.' : p.file}</span> ${p.message}</li>`)}</ul>`;
}

function at(place: Place): string {
  return `${place.file}:${place.line}`;
}
