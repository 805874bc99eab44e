import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewSite, type RunningPreview } from '../../src/doors/preview-site.ts';
import { publish } from '../../src/doors/publish.ts';
import { hasBrowser, launchBrowser, openPage } from '../support/browser-lab.ts';
import { HOSTILE_STRINGS } from '../support/hostile-strings.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../support/site.ts';

const SITE = 'https://docs.example/guide/';
const escaped = (text: string) => text.replace(/[&<>]/g, (one) => `&#${one.codePointAt(0)};`);
/** A browser asks for the icon of a host by itself. */
const HEAD = '<link rel="stylesheet" href="/guide/theme.css"><link rel="icon" href="data:,">';
const build = (round: number) => ({
  'theme.css': 'body { font-family: serif } div { color: red !important }',
  'pricing.html': htmlPage('Pricing', [
    { id: 'tiers', heading: 'Tiers', text: `A seat is ${10 + round} euros a month.` },
    { id: 'terms', heading: 'Terms', text: 'Cancel at any time.' },
    { id: 'faq', heading: 'Questions', text: 'Ask us.' },
  ]).replace('<link rel="stylesheet" href="/theme.css">', HEAD),
  ...Object.fromEntries(
    HOSTILE_STRINGS.slice(0, -1).map((text, at) => [
      `h${at}.html`,
      htmlPage(escaped(text), [
        { id: 'a', heading: escaped(text), text: `${round} ${escaped(text)}` },
        { id: 'b', heading: 'Other', text: 'It stays.' },
        { id: 'c', heading: 'Third', text: 'It stays, too.' },
      ]).replace('<link rel="stylesheet" href="/theme.css">', HEAD),
    ]),
  ),
});

describe.runIf(hasBrowser())('a preview', () => {
  let browser: Browser;
  let folder: TestFolder;
  let preview: RunningPreview;

  beforeAll(async () => {
    folder = temporaryFolder();
    folder.write(build(0));
    await publish({ dir: folder.path, site: SITE });
    folder.write(build(1));
    preview = await previewSite({ dir: folder.path, port: 0 });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await preview?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  });

  test.each([
    { colorScheme: 'light' as const, width: 1280 },
    { colorScheme: 'dark' as const, width: 320 },
  ])('marks a section with what it said before: $colorScheme, $width wide', async ({ colorScheme, width }) => {
    const opened = await openPage(browser, { path: 'pricing.html', base: preview.url, colorScheme, width });
    const { page } = opened;
    expect(await page.locator('#tiers + tidings-mark del').textContent()).toBe('10');
    expect(await page.locator('#tiers + tidings-mark ins').textContent()).toBe('11');
    expect(await page.locator('tidings-mark').count()).toBe(1);
    const summary = page.locator('tidings-preview summary');
    expect(await summary.textContent()).toContain('1 on this page');
    await summary.click();
    await page.locator('tidings-preview a', { hasText: 'The page of changes' }).waitFor();
    await opened.ensureClean();
    await opened.close();
  });

  test('runs nothing of the texts of pages', async () => {
    for (const at of [0, 2, 3, 6]) {
      const opened = await openPage(browser, { path: `h${at}.html`, base: preview.url });
      expect(await opened.page.locator('tidings-mark').count()).toBe(1);
      await opened.page.locator('tidings-preview summary').click();
      expect(await opened.page.evaluate(() => (globalThis as { hit?: unknown }).hit)).toBeUndefined();
      expect(opened.faults).toEqual([]);
      await opened.close();
    }
  });
});
