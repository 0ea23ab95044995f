/** The style of the HTML report, for bright and dark screens, wide and narrow ones, and paper. */
export const style = `
:root { color-scheme: light dark; --bg: #fff; --card: #f7f8fa; --line: #d5d9e0; --text: #1c2330; --muted: #5a6475; --accent: #1f5fbf;
  --safe: #1a7f4b; --unproven: #8a6100; --unsafe: #c0272d; --window: rgb(208 36 46 / .13); --broker: #1f5fbf; --store: #1a7f4b; --outside: #a34708; --transaction: rgb(26 127 75 / .2); }
@media (prefers-color-scheme: dark) { :root { --bg: #14171c; --card: #1c2027; --line: #363d49; --text: #e4e8ee; --muted: #9aa5b5; --accent: #7db0ff;
  --safe: #58c98b; --unproven: #e2b34c; --unsafe: #ff8080; --window: rgb(255 96 96 / .16); --broker: #7db0ff; --store: #58c98b; --outside: #f0a35e; --transaction: rgb(88 201 139 / .22); } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, form, main, footer { max-width: 1120px; margin: 0 auto; padding: 0 20px; }
h1 { font-size: 22px; margin: 24px 0 2px; }
h2 { font-size: 17px; margin: 28px 0 8px; }
p { margin: 4px 0; }
code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .92em; overflow-wrap: anywhere; }
.muted { color: var(--muted); }
.tiles { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 14px 0 18px; padding: 0; list-style: none; }
.tiles b { display: block; font-size: 24px; line-height: 1.2; }
.safe { color: var(--safe); } .unproven { color: var(--unproven); } .unsafe { color: var(--unsafe); }
form { position: sticky; top: 0; z-index: 1; background: var(--bg); border-bottom: 1px solid var(--line); padding-top: 10px; padding-bottom: 10px; display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
form[hidden] { display: none; }
form label { display: inline-flex; gap: 6px; align-items: center; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 12px; }
legend { float: left; margin-right: 4px; padding: 0; color: var(--muted); }
input[type=search], select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 4px 8px; max-width: 15em; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
output { margin-left: auto; color: var(--muted); }
.handler { border: 1px solid var(--line); border-radius: 8px; background: var(--card); margin: 10px 0; }
.handler[hidden] { display: none; }
.handler > summary { cursor: pointer; padding: 10px 14px; border-radius: 8px; }
.handler > summary b { overflow-wrap: anywhere; }
.handler > summary .mono { color: var(--muted); }
.chip { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 8px; margin-left: 4px; font-size: 12px; line-height: 19px; white-space: nowrap; }
.body { padding: 2px 14px 14px; display: grid; grid-template-columns: minmax(0, 500px) minmax(0, 1fr); gap: 6px 24px; align-items: start; }
.body > p { grid-column: 1 / -1; }
.timeline { display: block; max-width: 100%; height: auto; font: 13px system-ui, sans-serif; fill: var(--text); }
.timeline .lane { stroke: var(--line); } .timeline .way { fill: none; stroke: var(--muted); stroke-width: 1.5; }
.timeline .window { fill: var(--window); stroke: var(--unsafe); stroke-dasharray: 4 3; } .timeline .transaction { fill: var(--transaction); }
.timeline .place { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: var(--muted); }
.timeline .kind { font-weight: 600; } .timeline .says { fill: var(--unsafe); }
.timeline .broker { fill: var(--broker); stroke: var(--broker); } .timeline .store { fill: var(--store); stroke: var(--store); } .timeline .outside { fill: var(--outside); stroke: var(--outside); }
.timeline .hollow { fill: var(--card); stroke-width: 2; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 18px; color: var(--muted); font-size: 13px; margin: 14px 0 0; padding: 0; list-style: none; }
.legend .timeline { display: inline-block; vertical-align: -2px; margin-right: 5px; }
.findings { margin: 0; padding: 0; list-style: none; }
.findings > li { border-left: 3px solid var(--unsafe); padding: 0 0 0 12px; margin: 4px 0 14px; }
.findings > li.warning { border-color: var(--unproven); } .findings > li.suppressed { border-color: var(--line); color: var(--muted); }
.findings ul { margin: 4px 0; padding-left: 18px; color: var(--muted); }
.none { border: 1px dashed var(--line); border-radius: 8px; padding: 18px; text-align: center; color: var(--muted); }
.none[hidden] { display: none; }
footer { padding-top: 18px; padding-bottom: 30px; color: var(--muted); font-size: 13px; }
@media (max-width: 860px) { .body { grid-template-columns: minmax(0, 1fr); } form { position: static; } output { margin-left: 0; width: 100%; } header, form, main, footer { padding-left: 12px; padding-right: 12px; } }
@media print { form { display: none; } .handler { break-inside: avoid; } }
`;
