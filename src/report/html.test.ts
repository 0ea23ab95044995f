import { describe, expect, it } from 'vitest';
import { finding, handler, place, report, step, tool } from '../../fixtures/report-sample.js';
import { toHtml } from './html.js';

const page = toHtml(report, tool);

describe('the HTML report', () => {
  it('shows every handler, the unsafe ones first and unfolded', () => {
    const handlers = [...page.matchAll(/<details class="handler"[^>]*data-verdict="(\w+)"[^>]*?( open)?>\s*<summary><b>(\w+)<\/b>/g)].map((m) => [m[3], m[1], m[2] !== undefined]);
    expect(handlers).toEqual([['onOrder', 'unsafe', true], ['onRefund', 'unsafe', true], ['onPing', 'safe', false]]);
  });

  it('draws the timeline, with the window in which a crash hurts', () => {
    const svg = /<svg class="timeline"[^>]*role="img"[\s\S]*?<\/svg>/.exec(page)?.[0] ?? '';
    expect(svg).toContain('<title id="h0-t">Timeline of onOrder</title>');
    expect(svg).toContain('line 57: ack channel.ack. a crash here loses the message. line 9: write orders.insert. line 62: return');
    const window = /<rect class="window" x="\d+" y="(\d+)" width="\d+" height="(\d+)"/.exec(svg);
    const [, ack = 0, write = 0] = [...svg.matchAll(/<text class="place" x="0" y="(\d+)"/g)].map((m) => Number(m[1]));
    // Between the acknowledgement and the write.
    const [top, height] = [Number(window?.[1]), Number(window?.[2])];
    expect([top > ack, top < ack + 14, top + height < write, top + height > write - 22]).toEqual([true, true, true, true]);
  });

  it('draws a transaction from its begin to its commit', () => {
    const at = (line: number): ReturnType<typeof place> => place('a.ts', line);
    const timeline = [step('begin', 'db.transaction', at(1)), step('write', 'tx.insert', at(2)), step('commit', 'db.transaction', at(1))];
    expect(toHtml({ ...report, handlers: [handler('h', at(1), [], { timeline })] }, tool)).toMatch(/<rect class="transaction" x="33" y="11" width="14" height="70"/);
  });

  it('shows a shared cause with each handler, and what is suppressed', () => {
    expect(page.match(/Affects 2 handlers: onOrder/g)).toHaveLength(2);
    expect(page).toContain('Suppressed by a comment: the mail may be lost');
    expect(page).toContain('Suppressed by the baseline: idempotent-consumers.baseline.json');
  });

  it('escapes whatever comes from the code', () => {
    const evil = '"><img src=x onerror=alert(1)>\u202e</script><script>alert(2)</script>\'`';
    const at = place(`${evil}.ts`, 1);
    const all = toHtml({ ...report, root: evil, problems: [{ file: evil, message: evil }], handlers: [handler(evil, at, [finding('x', 'r', at, { message: `a \`${evil}`, trace: [{ place: at, message: evil }] })], { client: evil, timeline: [step('write', evil, at)] })] }, tool);
    expect(all).not.toMatch(/<img|alert\(2\)<|\u202e/);
    expect(all.match(/<script/g)).toHaveLength(1);
  });

  it('loads nothing', () => {
    expect(page).not.toMatch(/https?:\/\/|@import|url\(/);
  });
});
