import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { pagesOf } from '../support/dashboard-pages.ts';
import { foreignParts } from '../support/page-traps.ts';

/** What reaches over the right edge of the screen, unless it scrolls for itself. */
const TOO_WIDE = `document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
  [...document.querySelectorAll('main *')].filter((element) => element.getBoundingClientRect().right > innerWidth).map((element) => element.outerHTML.slice(0, 150))`;

describe.runIf(hasBrowser())('every page in a browser', () => {
  let lab: BrowserLab;
  let pages: readonly string[] = [];

  beforeAll(async () => {
    lab = await openBrowserLab();
    await lab.edit('pricing.html', '19', '23');
    const { changes } = (await lab.api('GET /api/v1/changes?limit=100')) as { changes: { id: string; url: string }[] };
    const subscription = await addSubscription(lab);
    const { prefix } = (await lab.api('POST /api/v1/keys', { label: 'A reader' })) as { prefix: string };
    const named = await pagesOf(lab.hub, {
      sources: ['lantern'],
      changes: [changes.at(-1)?.id ?? ''],
      subscriptions: [subscription],
      keys: [prefix],
    });
    const page = encodeURIComponent(changes.at(-1)?.url ?? '');
    // A page of something that its query names.
    pages = named.map((path) => (path === 'timeline' ? `timeline?source=lantern&url=${page}` : path));
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  test.each([
    { colorScheme: 'light', width: 1280, signedIn: true },
    { colorScheme: 'dark', width: 1280, signedIn: true },
    { colorScheme: 'light', width: 400, signedIn: true },
    { colorScheme: 'light', width: 1280, signedIn: false },
  ] as const)('nothing is wrong with any of them: $colorScheme, $width wide, signed in: $signedIn', async (options) => {
    const { page, ensureClean, close } = await lab.open('', options);
    expect(pages.length).toBeGreaterThan(5);
    for (const path of pages) {
      await page.goto(new URL(path, lab.hub.url).href);
      await ensureClean();
      expect(await foreignParts(page), path).toEqual([]);
      expect(await page.locator('h1').count(), path).toBe(1);
      expect(await page.evaluate(TOO_WIDE), path).toEqual([]);
    }
    await close();
  });

  test('each is read without a script', async () => {
    const { page, faults, close } = await lab.open('', { javaScriptEnabled: false });
    for (const path of pages) {
      await page.goto(new URL(path, lab.hub.url).href);
      expect((await page.locator('main h1').textContent())?.trim(), path).not.toBe('');
    }
    expect(faults).toEqual([]);
    await close();
  });
});

async function addSubscription(lab: BrowserLab): Promise<string> {
  const added = (await lab.api('POST /api/v1/subscriptions', { url: 'https://receiver.example/hook' })) as {
    id: string;
  };
  return added.id;
}
