/**
 * Makes the pictures of the dashboard in docs/pictures/: each view light, dark and narrow, of a hub that runs.
 *
 *     npm run pictures
 *     npm run pictures -- change,add      only those whose names begin so
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../../src/io/playwright/chromium-path.ts';
import { DEMO_TOKEN, openDemoHub } from './demo-hub.ts';

const wanted = (process.argv[2] ?? '').split(',');
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
      if (!wanted.some((begin) => name.startsWith(begin))) continue;
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
    readonly changes: readonly SeenChange[];
  };
  const edits = changes.filter(({ action, anchor }) => action === 'update' && anchor !== undefined);
  const edit = edits.at(-1);
  // Of the section that changed most often, the newest two versions are compared.
  const versionsOf = ({ url, anchor }: SeenChange) =>
    edits.filter((other) => other.url === url && other.anchor === anchor);
  const most = edits.map(versionsOf).reduce((found, some) => (some.length > found.length ? some : found), []);
  const [a, b] = most.slice(-2);
  const section = new URLSearchParams({
    source: b?.source ?? '',
    url: b?.url ?? '',
    anchor: b?.anchor ?? '',
    a: a?.id ?? '',
    b: b?.id ?? '',
  });
  return [
    ['overview', ''],
    ['sources', 'sources'],
    ['source', 'sources/lantern'],
    ['pages', 'sources/lantern/pages'],
    ['edit', 'sources/lantern/edit'],
    ['change', `changes/${edit?.id}`],
    ['timeline', `timeline?${section}`],
    ['search', 'search?q=deliveries'],
    ['add', `add?url=${encodeURIComponent(newSite)}`],
    ['subscriptions', 'subscriptions'],
    ['keys', 'keys'],
    ['alerts', 'alerts'],
    ['admin', 'admin'],
    ['bot', 'bot'],
    ['follow', 'follow'],
    ['owners', 'owners'],
    ['sign-in', 'sign-in'],
  ];
}

interface SeenChange {
  readonly id: string;
  readonly source: string;
  readonly action: string;
  readonly url: string;
  readonly anchor?: string;
}
