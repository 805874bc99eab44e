import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publish } from '../../src/doors/publish.ts';
import { hasBrowser, launchBrowser, openPage } from '../support/browser-lab.ts';
import { HOSTILE_STRINGS } from '../support/hostile-strings.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../support/site.ts';
import { type StaticServer, serveFolder } from '../support/static-server.ts';

/** Below a path, as many sites are. */
const SITE = 'https://docs.example/guide/';
const escaped = (text: string) => text.replace(/[&<>]/g, (one) => `&#${one.codePointAt(0)};`);

const pages = (round: number) => ({
  'pricing.html': htmlPage('Pricing', [
    { id: 'tiers', heading: 'Tiers', text: `A seat is ${10 + round} euros a month.` },
    { id: 'terms', heading: 'Terms', text: 'Cancel at any time.' },
    { id: 'faq', heading: 'Questions', text: 'Ask us.' },
  ]),
  'api/limits.html': htmlPage('Limits', [
    { id: 'rate', heading: 'Rate', text: `Up to ${60 * (round + 1)} requests a minute.` },
    { id: 'size', heading: 'Size', text: 'One megabyte.' },
    { id: 'more', heading: 'More', text: 'Write to us.' },
  ]),
  ...Object.fromEntries(
    HOSTILE_STRINGS.map((text, at) => [
      `hostile/${at}.html`,
      htmlPage(escaped(text), [
        {
          id: `x"onclick='globalThis.hit=${at}`.replaceAll('"', '&quot;'),
          heading: escaped(text),
          text: `${round} ${escaped(text)}`,
        },
        { id: 'b', heading: 'Other', text: 'It stays.' },
        { id: 'c', heading: 'Third', text: 'It stays, too.' },
      ]),
    ]),
  ),
});

describe.runIf(hasBrowser())('the page of changes', () => {
  let browser: Browser;
  let folder: TestFolder;
  let server: StaticServer;

  beforeAll(async () => {
    folder = temporaryFolder();
    for (let round = 0; round < 9; round += 1) {
      folder.write(Object.fromEntries(Object.entries(pages(round)).map(([path, text]) => [`guide/${path}`, text])));
      await publish({ dir: join(folder.path, 'guide'), site: SITE, title: `Docs ${HOSTILE_STRINGS[1]}` });
    }
    server = await serveFolder(folder.path);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    folder?.[Symbol.dispose]();
  });

  test.each([
    { colorScheme: 'light' as const, width: 1280 },
    { colorScheme: 'dark' as const, width: 1280 },
    { colorScheme: 'light' as const, width: 320 },
    { colorScheme: 'dark' as const, width: 320 },
  ])('is clean and runs nothing of its texts: $colorScheme, $width wide', async ({ colorScheme, width }) => {
    const opened = await openPage(browser, { path: 'guide/changes/', base: server.url, colorScheme, width });
    await opened.ensureClean();
    expect(await opened.page.evaluate(() => (globalThis as { hit?: unknown }).hit)).toBeUndefined();
    expect(await opened.page.locator('.words del', { hasText: '17' }).first().isVisible()).toBe(true);
    const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wide).toBe(false);
    await opened.close();
  });

  test('links lead to pages of the site, below its path, and none to a script', async () => {
    const { page, close } = await openPage(browser, { path: 'guide/changes/', base: server.url });
    const targets = await page
      .locator('a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.filter((target) => !target.startsWith(`${server.url}guide/`))).toEqual([]);
    await page.getByRole('link', { name: 'Pricing › Tiers' }).first().click();
    await page.waitForURL('**/guide/pricing.html#tiers');
    await close();
  });

  test('shows what stands below a path, also when asked for by its address', async () => {
    const { page, close, ensureClean } = await openPage(browser, { path: 'guide/changes/', base: server.url });
    const shown = page.locator('.changes > li:visible');
    const all = await shown.count();
    await page.getByLabel('Only paths with').fill('/API/');
    await expect.poll(() => shown.count()).toBeLessThan(all);
    expect(await shown.locator('h3').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('Limits')]),
    );
    expect(await shown.filter({ hasText: 'Pricing' }).count()).toBe(0);
    expect(await page.locator('#found').textContent()).toBe(`${await shown.count()} on this page`);
    await ensureClean();
    await page.goto(`${server.url}guide/changes/?path=/pricing`);
    await expect.poll(() => page.locator('.changes > li:visible').filter({ hasText: 'Limits' }).count()).toBe(0);
    await close();
  });

  test('leads to older changes and back', async () => {
    const { page, close, ensureClean } = await openPage(browser, { path: 'guide/changes/', base: server.url });
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(/\/guide\/changes\/page-\d+\.html$/);
    await ensureClean();
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.waitForURL('**/guide/changes/index.html');
    await close();
  });

  test('works as a file, and without scripts', async () => {
    const file = pathToFileURL(join(folder.path, 'guide/changes/index.html')).href;
    const opened = await openPage(browser, { path: '', base: file });
    await opened.page.getByLabel('Only paths with').fill('/api/');
    await expect
      .poll(() => opened.page.locator('.changes > li:visible').filter({ hasText: 'Pricing' }).count())
      .toBe(0);
    await opened.ensureClean();
    await opened.page.getByRole('link', { name: 'Limits › Rate' }).first().click();
    await opened.page.waitForURL('file:**/guide/api/limits.html#rate');
    await opened.close();
    const plain = await openPage(browser, { path: 'guide/changes/', base: server.url, javaScriptEnabled: false });
    expect(await plain.page.locator('.changes > li').count()).toBeGreaterThan(10);
    expect(await plain.page.locator('.filter').isVisible()).toBe(false);
    await plain.close();
  });
});
