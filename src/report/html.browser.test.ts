/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finding, handler, place, report, step, tool } from '../../fixtures/report-sample.js';
import type { ProgramReport } from '../model/handler.js';
import { toHtml } from './html.js';

// CI has a browser, and a run without one would prove nothing. Elsewhere the tests are left out, visibly.
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const missing = !existsSync(executablePath) && !process.env.CI;
if (missing) console.warn(`Left out: the HTML report in a browser. Install Chromium, or name it in the variable CHROMIUM (looked for ${executablePath}).`);

describe.skipIf(missing)('the HTML report in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'html-report-'));
  const requests: string[] = [];
  const errors: string[] = [];
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(r: ProgramReport, options: { colorScheme?: 'light' | 'dark'; width?: number; javaScriptEnabled?: boolean } = {}): Promise<Page> {
    const file = join(folder, 'report.html');
    writeFileSync(file, toHtml(r, tool));
    const { width = 1200, ...rest } = options;
    const context = await browser.newContext({ ...rest, viewport: { width, height: 900 } });
    const page = await context.newPage();
    requests.length = 0;
    errors.length = 0;
    page.on('request', (q) => requests.push(q.url()));
    page.on('console', (m) => { if (m.type() === 'error') errors.push(m.text()); });
    page.on('pageerror', (e) => errors.push(e.message));
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  const shown = (page: Page): Promise<string[]> => page.locator('.handler:visible > summary > b').allTextContents();

  it('filters by rule, client, verdict and words, by the keyboard alone', async () => {
    const page = await open(report);
    expect(await shown(page)).toEqual(['onOrder', 'onRefund', 'onPing']);
    await page.keyboard.press('Tab');
    await page.keyboard.type('refunds');
    expect(await shown(page)).toEqual(['onRefund']);
    for (let i = 0; i < 'refunds'.length; i++) await page.keyboard.press('Backspace');
    await page.keyboard.press('Tab');
    await page.keyboard.type('no-ack');
    expect(await page.locator('select[name=rule]').inputValue()).toBe('no-ack-on-failure');
    expect(await shown(page)).toEqual(['onOrder', 'onRefund']);
    await page.keyboard.press('Tab');
    await page.keyboard.type('amqp');
    expect(await shown(page)).toEqual(['onRefund']);
    expect(await page.locator('output').textContent()).toBe('1 of 3 handlers');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await shown(page)).toEqual([]);
    expect(await page.locator('.none').isVisible()).toBe(true);
    for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => shown(page)).toEqual(['onOrder', 'onRefund', 'onPing']);
    expect(errors).toEqual([]);
  });

  it('folds and unfolds handlers by the keyboard, and shows where the focus is', async () => {
    const page = await open(report);
    const ping = page.locator('.handler', { hasText: 'onPing' });
    await ping.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await ping.getAttribute('open')).toBe('');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe('solid');
  });

  it('sends no request', async () => {
    await open(report);
    expect(requests.filter((url) => !url.startsWith('file:') && url !== 'data:,')).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('runs nothing that names in the code hold', async () => {
    const evil = '"><img src="https://evil.example/x.png" onerror="window.hit = 1"><script>window.hit = 1</script>';
    const at = place(`${evil}.ts`, 1);
    const page = await open({ ...report, handlers: [handler(evil, at, [finding('x', 'ack-after-commit', at, { message: `\`${evil}\`` })], { client: evil, timeline: [step('write', evil, at)] })] });
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
    expect(await shown(page)).toEqual([evil]);
    expect(requests.filter((url) => url.includes('evil.example'))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('obeys its policy even if a script got in', async () => {
    const page = await open(report);
    await page.evaluate(() => {
      const s = document.createElement('script');
      s.textContent = 'window.hit = 1';
      document.body.append(s);
    });
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
  });

  it.each(['light', 'dark'] as const)('can be read on a %s screen', async (colorScheme) => {
    const page = await open(report, { colorScheme });
    // The contrast that WCAG AA asks for, of every text against what it stands on.
    const poor = await page.evaluate(() => {
      const rgb = (text: string): number[] => (text.match(/[\d.]+/g) ?? []).map(Number);
      const luminance = (c: number[]): number => {
        const [r = 0, g = 0, b = 0] = c.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const background = (e: Element | null): number[] => {
        for (; e; e = e.parentElement) {
          const c = rgb(getComputedStyle(e).backgroundColor);
          if (c.length === 3 || (c[3] ?? 0) === 1) return c;
        }
        return [255, 255, 255];
      };
      return [...document.querySelectorAll('body *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent?.trim()) && e.getBoundingClientRect().width > 0).flatMap((e) => {
        const style = getComputedStyle(e);
        const [a, b] = [luminance(rgb(e instanceof SVGElement ? style.fill : style.color).slice(0, 3)), luminance(background(e))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        return contrast < 4.5 ? [`${e.tagName} ${e.textContent?.slice(0, 30) ?? ''}: ${contrast.toFixed(2)}`] : [];
      });
    });
    expect(poor).toEqual([]);
    const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(dark).toBe(colorScheme === 'dark' ? 'rgb(20, 23, 28)' : 'rgb(255, 255, 255)');
  });

  it('fits a narrow screen', async () => {
    const long = handler('aHandlerWithAnExceedinglyLongNameThatNobodyWouldGiveToIt', place(`src/${'deep/'.repeat(20)}file.ts`, 1), []);
    const page = await open({ ...report, handlers: [...report.handlers, long] }, { width: 360 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  it('shows everything without scripts, and no filters', async () => {
    const page = await open(report, { javaScriptEnabled: false });
    expect(await shown(page)).toEqual(['onOrder', 'onRefund', 'onPing']);
    expect(await page.locator('form').isVisible()).toBe(false);
  });
});
