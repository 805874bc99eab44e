import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeReceipt, type Receipt } from '../../src/codecs/tlog/receipt.ts';
import { LOG, testKey } from '../../src/codecs/tlog/tlog-fixtures.contract.ts';
import { encodeVerifierKey } from '../../src/codecs/tlog/verifier-key.ts';
import { findChromium } from '../../src/io/playwright/chromium-path.ts';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { testReceipt } from '../support/test-receipt.ts';

const FILE = pathToFileURL('dist/assets/verify.html').href;
const VKEY = encodeVerifierKey(LOG.key);
const HOSTILE = '"><img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>\u202e{{7*7}}';

async function check(page: Page, receipt: string, vkey: string): Promise<readonly [title: string, words: string]> {
  await page.getByLabel('The receipt').fill(receipt);
  await page.getByLabel('The key of the log that you trust').fill(vkey);
  await page.getByRole('button', { name: 'Check' }).click();
  const finding = page.locator('#finding');
  await finding.locator('h2').waitFor();
  return [(await finding.locator('h2').textContent()) ?? '', (await finding.locator('p').first().textContent()) ?? ''];
}

/** The same cases in both places. */
async function checkAll(page: Page): Promise<void> {
  const good = testReceipt();
  const of = (receipt: Receipt, vkey = VKEY) => check(page, encodeReceipt(receipt), vkey);
  const [title, words] = await of(good);
  expect([title, words]).toEqual(['Proven', expect.stringContaining('entry 3 of the log log.example')]);
  expect(await page.locator('#finding dd').allTextContents()).toContain('It costs 20 €.');
  expect((await of(good, ''))[0]).toBe('Consistent with itself');
  expect((await of(good, ''))[1]).toContain('checked against nothing');
  expect((await of(testReceipt({}, { log: testKey(0x60, 'log', LOG.key.name) })))[0]).toBe('Not proven');
  expect((await of({ ...good, index: 2 }))[1]).toContain('leads to another root hash');
  expect((await of({ ...good, checkpoint: good.checkpoint.replace('\n7\n', '\n8\n') }))[0]).toBe('Not proven');
  const altered = { ...good, texts: { title: { salt: '00'.repeat(32), text: 'Free' } } };
  expect((await of(altered))[1]).toContain('"title" is not the one that the entry commits to');
  expect((await check(page, '{"entry":1}', VKEY))[1]).toContain('This is no receipt');
  expect((await of(good, 'nonsense'))[1]).toContain('key that you trust cannot be read');
}

describe.runIf(hasBrowser())('the page that checks receipts', () => {
  describe('as a file, offline', () => {
    let browser: Browser;
    let page: Page;
    const faults: string[] = [];

    beforeAll(async () => {
      const args = ['--no-sandbox', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND'];
      browser = await chromium.launch({ executablePath: findChromium() ?? '', args });
      const context = await browser.newContext({ offline: true });
      page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
      page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
      page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
      page.on('request', (request) => request.url() !== FILE && faults.push(`outside: ${request.url()}`));
      await page.goto(FILE);
    });
    afterAll(() => browser?.close());

    test('it says the same as the command line, with nothing but the browser', async () => {
      await checkAll(page);
      expect(faults).toEqual([]);
    });

    test('a receipt is taken from a file', async () => {
      await page.goto(FILE);
      const buffer = Buffer.from(encodeReceipt(testReceipt()));
      await page
        .getByLabel('Or its file')
        .setInputFiles({ name: 'receipt.json', mimeType: 'application/json', buffer });
      await expect.poll(() => page.getByLabel('The receipt').inputValue()).toBe(buffer.toString());
    });

    test('hostile receipts are shown as text and run nothing', async () => {
      const hostile = testReceipt(
        { url: `https://docs.example/${HOSTILE}`, anchor: HOSTILE },
        { texts: { title: HOSTILE } },
      );
      expect((await check(page, encodeReceipt(hostile), VKEY))[0]).toBe('Proven');
      expect(await page.locator('#finding img, #finding script').count()).toBe(0);
      expect(await page.locator('#finding').textContent()).toContain('[U+202E]');
      expect(await page.title()).toBe('Check a receipt · Tidings');
      for (const text of [
        HOSTILE,
        `{"entry":${JSON.stringify(HOSTILE)}}`,
        '['.repeat(100_000),
        '{"__proto__":{"entry":"x"}}',
      ]) {
        expect((await check(page, text, HOSTILE))[0]).toBe('Not proven');
      }
      expect(faults).toEqual([]);
    });

    test('nothing is wrong with it for people who cannot see or use a page as others do', async () => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe.run(),
      );
      expect(violations.map(({ id }) => id)).toEqual([]);
    });

    test('its policy lets in what stands inside and nothing else', async () => {
      const html = await readFile('dist/assets/verify.html', 'utf8');
      expect(html).toMatch(
        /default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'/,
      );
      expect(html).not.toMatch(/(?:src|href)=/);
    });
  });

  describe('on a hub', () => {
    let lab: BrowserLab;
    beforeAll(async () => {
      lab = await openBrowserLab();
    });
    afterAll(() => lab?.[Symbol.asyncDispose]());

    test('it says the same there, in both colours, and nothing is sent', async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, ensureClean, close } = await lab.open('verify', { colorScheme });
        await ensureClean();
        const sent: string[] = [];
        page.on('request', (request) => sent.push(request.url()));
        await checkAll(page);
        expect(sent).toEqual([]);
        await ensureClean();
        await close();
      }
    });
  });
});
