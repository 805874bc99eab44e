/**
 * Makes the pictures of the dashboard in docs/pictures/: each view light, dark and narrow, of a hub that runs.
 *
 *     npm run pictures
 *     npm run pictures -- change      only those whose name begins so
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../src/io/playwright/chromium-path.ts';
import { DEMO_TOKEN, openDemoHub } from './demo-hub.ts';

const [wanted = ''] = process.argv.slice(2);
const FOLDER = join('docs', 'pictures');
const FORMS = [
  { name: 'light', colorScheme: 'light', width: 1200, height: 800 },
  { name: 'dark', colorScheme: 'dark', width: 1200, height: 800 },
  { name: 'narrow', colorScheme: 'light', width: 400, height: 800 },
] as const;

const folder = await mkdtemp(join(tmpdir(), 'tidings-pictures-'));
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] });
try {
  await using demo = await openDemoHub(folder);
  const { hub } = demo;
  await mkdir(FOLDER, { recursive: true });
  for (const form of FORMS) {
    const { colorScheme, width, height } = form;
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      timezoneId: 'Europe/Berlin',
      locale: 'en-GB',
    });
    const page = await context.newPage();
    await page.goto(new URL('sign-in', hub.url).href);
    await page.locator('input[name=token]').fill(DEMO_TOKEN);
    await page.locator('main button').first().click();
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    for (const [name, path] of await viewsOf(hub.url, demo.newSite)) {
      if (!name.startsWith(wanted)) continue;
      await page.goto(new URL(path, hub.url).href);
      await page.screenshot({ path: join(FOLDER, `dashboard-${name}-${form.name}.png`) });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** Each view, by a thing that it has something to show of. */
async function viewsOf(url: string, newSite: string): Promise<readonly (readonly [string, string])[]> {
  const { changes } = (await (await fetch(new URL('api/v1/changes?limit=1000', url))).json()) as {
    readonly changes: readonly {
      readonly id: string;
      readonly action: string;
      readonly url: string;
      readonly anchor?: string;
    }[];
  };
  const edit = changes.findLast(({ action, anchor }) => action === 'update' && anchor !== undefined);
  const section = new URLSearchParams({ source: 'lantern', url: edit?.url ?? '', anchor: edit?.anchor ?? '' });
  return [
    ['overview', ''],
    ['sources', 'sources'],
    ['source', 'sources/lantern'],
    ['change', `changes/${edit?.id}`],
    ['timeline', `timeline?${section}`],
    ['search', 'search?q=deliveries'],
    ['add', `add?url=${encodeURIComponent(newSite)}`],
    ['subscriptions', 'subscriptions'],
    ['keys', 'keys'],
    ['alerts', 'alerts'],
    ['admin', 'admin'],
    ['bot', 'bot'],
  ];
}
