import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { type HubSettings, type RunningHub, startHub } from '../../src/doors/hub.ts';
import { findChromium } from '../../src/io/playwright/chromium-path.ts';

export const LAB_TOKEN = 'test-token-of-the-browser-lab';

/** A hub over a small editable site, and a browser that shows it. */
export interface BrowserLab extends AsyncDisposable {
  readonly hub: RunningHub;
  /** The folder of the site `lantern`. */
  readonly site: string;
  /** Changes a file of the site, and makes the hub look at it. Resolves when the change is in the log. */
  edit(file: string, from: string, to: string): Promise<void>;
  /** A page in a separate browser context: nothing is shared with others. */
  open(path: string, options?: PageOptions): Promise<WatchedPage>;
  /** Calls the API as the admin. */
  api(line: string, body?: object): Promise<unknown>;
}

export interface PageOptions extends Pick<BrowserContextOptions, 'colorScheme' | 'javaScriptEnabled'> {
  readonly width?: number;
  /** The address of the hub, if it is not its own. */
  readonly base?: string;
  /** Signs in with the token before the page is opened. */
  readonly signedIn?: boolean;
}

/** A page, with a record of everything that must not happen on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors, requests to others, policy violations. Checked by {@link WatchedPage.ensureClean}. */
  readonly faults: readonly string[];
  /** Expects no faults so far, and no findings of axe. */
  ensureClean(): Promise<void>;
  close(): Promise<void>;
}

/** Whether there is a browser. Prints a message if there is none. */
export function hasBrowser(): boolean {
  if (findChromium() !== undefined) return true;
  process.stderr.write('SKIPPED: pages are not looked at here, for there is no Chromium on this machine.\n');
  return false;
}

/** `settings` are the hub's settings in addition to its one source. */
export async function openBrowserLab(settings: Record<string, unknown> = {}): Promise<BrowserLab> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-browser-'));
  const site = join(folder, 'site');
  await cp('examples/site', site, { recursive: true });
  const { sources = [], ...rest } = settings as { readonly sources?: readonly object[] };
  const lantern = {
    id: 'lantern',
    kind: 'folder' as const,
    path: './site',
    site: 'https://lantern.example/',
    cleanUrls: true,
  };
  const config = { port: 0, ...rest, sources: [{ title: 'Lantern', ...lantern }, ...sources] };
  const hub = await startHub(config as HubSettings, { token: LAB_TOKEN, base: folder });
  const browser = await launchBrowser();
  const api = apiOf(hub);
  await until(async () => (await newestSeq(hub)) > 0);
  return {
    hub,
    site,
    api,
    async edit(file, from, to) {
      const before = await newestSeq(hub);
      const text = await readFile(join(site, file), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not say ${from}.`);
      await writeFile(join(site, file), text.replace(from, to));
      await api('POST /api/v1/sources/lantern/check', {});
      await until(async () => (await newestSeq(hub)) > before);
    },
    open: (path, options = {}) => openPage(browser, { path, base: hub.url, ...options }),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await hub.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The pages are ours and on loopback. Tests may run as root, where Chromium has no sandbox. */
export async function launchBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-background-networking',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ];
  return await chromium.launch({ executablePath: findChromium() ?? '', args });
}

/** A page in a separate browser context, at an address or as a file. */
export async function openPage(
  browser: Browser,
  options: PageOptions & { readonly path: string; readonly base: string },
): Promise<WatchedPage> {
  const { path, base, width = 1280, signedIn = false, colorScheme = 'light', javaScriptEnabled = true } = options;
  const context = await browser.newContext({ colorScheme, javaScriptEnabled, viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(base).origin) faults.push(`outside: ${request.url()}`);
  });
  if (signedIn) await signIn(page, base);
  await page.goto(new URL(path, base).href);
  return {
    page,
    faults,
    async ensureClean() {
      expect([...faults, ...(javaScriptEnabled ? await axeFindings(page) : [])], page.url()).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** Through the form that people use. */
async function signIn(page: Page, base: string): Promise<void> {
  await page.goto(new URL('sign-in', base).href);
  await page.locator('input[name=token]').fill(LAB_TOKEN);
  await page.locator('main button').first().click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}

/** The accessibility problems that axe finds. */
async function axeFindings(page: Page): Promise<readonly string[]> {
  // Evaluated through the debugger, because the page's policy allows no other script.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } }).axe.run(),
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`),
  );
}

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

function apiOf(hub: RunningHub): BrowserLab['api'] {
  return async (line, body) => {
    const [method = 'GET', path = ''] = line.split(' ');
    const answer = await fetch(new URL(path.slice(1), hub.url), {
      method,
      headers: { authorization: `Bearer ${LAB_TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${line}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : await answer.json();
  };
}

async function newestSeq(hub: RunningHub): Promise<number> {
  const answer = await fetch(new URL('api/v1/views/overview', hub.url));
  return ((await answer.json()) as { readonly changes: number }).changes;
}

/** Also works outside a test. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: 60_000, interval: 20 });
}
