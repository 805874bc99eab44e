import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkReport } from '../../src/doors/check.ts';
import { formReport } from '../../src/doors/check-forms.ts';
import { type BrowserLab, hasBrowser, openBrowserLab, type PageOptions } from '../support/browser-lab.ts';
import { type FeedServer, startFeedServer } from '../support/feed-server.ts';
import { HOSTILE_STRINGS } from '../support/hostile-strings.ts';
import { foreignParts } from '../support/page-traps.ts';

/** What is on it that no template of a hub writes: the style of the file, and its policy. */
const OWN_PARTS = [
  expect.stringMatching(/^<meta http-equiv="Content-Security-Policy"/),
  expect.stringMatching(/^<style>/),
];

const LOOKS: readonly PageOptions[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 400 },
];

describe.runIf(hasBrowser())('a report in a browser', () => {
  let lab: BrowserLab;
  let site: FeedServer;
  let folder: string;

  beforeAll(async () => {
    site = await startFeedServer();
    putHostile(site);
    folder = await mkdtemp(join(tmpdir(), 'tidings-check-page-'));
    lab = await openBrowserLab({
      allowPrivate: true,
      sources: [{ id: 'evil', title: HOSTILE_STRINGS[1], kind: 'page', urls: [site.origin] }],
    });
    const report = await checkReport(site.origin, { allowPrivate: true, fixHints: true });
    expect(JSON.stringify(report), 'the report quotes what is hostile').toContain('globalThis.hit');
    await writeFile(join(folder, 'check.html'), formReport(report, 'html'));
    await writeFile(join(folder, 'badge.svg'), formReport(report, 'badge'));
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(LOOKS)('as a file it asks for nothing and runs nothing: $colorScheme, $width wide', async (options) => {
    const base = pathToFileURL(`${folder}/`).href;
    const { page, ensureClean, close } = await lab.open('check.html', { ...options, base });
    await openAll(page);
    await ensureClean();
    expect(await foreignParts(page)).toEqual(OWN_PARTS);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(60);
    expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(
      true,
    );
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      options.colorScheme === 'dark' ? 'rgb(13, 17, 23)' : 'rgb(255, 255, 255)',
    );
    await close();
  });

  test.each(LOOKS)('in a hub nothing is wrong with it: $colorScheme, $width wide', async (options) => {
    const { page, ensureClean, close } = await lab.open(`check?url=${encodeURIComponent(site.origin)}`, options);
    await openAll(page);
    await ensureClean();
    expect(await foreignParts(page)).toEqual([]);
    expect(await page.locator('h1 .badge').textContent()).toBe('failing');
    expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(
      true,
    );
    await close();
  });

  test('it is found from the page of the source, and leads to the badge', async () => {
    const { page, ensureClean, close } = await lab.open('sources/evil');
    await page.getByRole('link', { name: 'Check its change feeds' }).click();
    await page.getByRole('heading', { level: 1, name: /Check of/ }).waitFor();
    await ensureClean();
    await page.getByRole('link', { name: 'Badge' }).click();
    await page.waitForURL(/badge\.svg/);
    expect(await page.evaluate('document.querySelector("title").textContent')).toBe('change feeds: failing');
    await close();
  });

  test('a site that is not watched is refused in words, and nothing of the address is run', async () => {
    const { page, faults, close } = await lab.open('check');
    for (const text of HOSTILE_STRINGS.slice(0, 12)) {
      const url = `https://elsewhere.example/${encodeURIComponent(text.toWellFormed())}`;
      await page.goto(new URL(`check?url=${encodeURIComponent(url)}`, lab.hub.url).href);
      expect(await foreignParts(page)).toEqual([]);
    }
    expect(faults.filter((fault) => !/status of 4\d\d/.test(fault))).toEqual([]);
    await close();
  });
});

/** What is folded away is looked at, too. */
async function openAll(page: Awaited<ReturnType<BrowserLab['open']>>['page']): Promise<void> {
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
}

/** A feed whose every value is meant to become something else on a page. */
function putHostile(site: FeedServer): void {
  const lines = HOSTILE_STRINGS.map((text, at) =>
    JSON.stringify({
      id: `01K35T3R0000000000000000${String(at).padStart(2, '0')}`,
      action: text,
      url: text,
      time: text,
    }),
  );
  site.put('/', `<!doctype html><title>Home</title><main><h1>Home</h1><p>Words of the home page.</p></main>`);
  site.put(
    '/.well-known/ai-changefeed',
    JSON.stringify({ aicf_version: HOSTILE_STRINGS[0], self: `${site.origin}feed.ndjson`, about: HOSTILE_STRINGS[2] }),
  );
  site.put('/feed.ndjson', `${lines.join('\n')}\n`);
  site.put('/.well-known/diffdelta.json', JSON.stringify({ sources_supported: HOSTILE_STRINGS.slice(0, 12) }));
}
