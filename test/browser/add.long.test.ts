import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { HOSTILE_STRINGS } from '../support/hostile-strings.ts';
import { type LiveSite, pageOf, sitemapOf, startLiveSite } from '../support/live-site.ts';
import { foreignParts } from '../support/page-traps.ts';
import { PICKED_PAGE } from '../support/picked-page.ts';

describe.runIf(hasBrowser())('sources are added in a browser', () => {
  let lab: BrowserLab;
  let site: LiveSite;

  beforeAll(async () => {
    site = await startLiveSite({ '/': PICKED_PAGE, '/a': pageOf('A') });
    site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
    lab = await openBrowserLab({ allowPrivate: true, cooldownMs: 0 });
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  test('from the address to the source, with what is wrong beside its field', async () => {
    const { page, ensureClean, close } = await lab.open('add', { signedIn: true });
    await ensureClean();
    await page.getByLabel('Address of a site').fill(site.url);
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.locator('li[data-rule="aside.promo"] label').first().click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await ensureClean();
    }
    await page.setViewportSize({ width: 400, height: 800 });
    await ensureClean();
    const widest = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(widest)).toBeLessThanOrEqual(0);
    await page.getByLabel('Id:').fill('docs');
    await page.getByLabel('Other rules').fill('a:hover');
    await page.getByRole('button', { name: 'Watch this' }).click();
    expect(await page.locator('#rules-problem').textContent()).toContain('ignore');
    expect(await page.getByLabel('Id:').inputValue()).toBe('docs');
    await page.getByLabel('Other rules').fill('aside.promo\n/log/**');
    await page.getByRole('button', { name: 'Watch this' }).click();
    await page.waitForURL(/\/sources\/docs\?done=/);
    expect(await page.locator('[role=status]').first().textContent()).toContain('It is watched from now on');
    await close();
    const source = (await lab.api('GET /api/v1/sources/docs')) as { readonly config: object };
    expect(source.config).toMatchObject({ kind: 'auto', url: site.url, ignore: ['aside.promo', '/log/**'] });
  });

  test('a look that takes a while says so', async () => {
    const waiting: (() => void)[] = [];
    await using slow = await startLiveSite({
      '/': (response) => void waiting.push(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>x')),
    });
    const { page, close } = await lab.open('add', { signedIn: true });
    await page.getByLabel('Address of a site').fill(slow.url);
    // The page itself looks: what is asked of it from outside waits for the next page.
    const shown = page.evaluate(`new Promise((resolve) => {
      const note = document.querySelector('.reading');
      new MutationObserver(() => resolve(note.checkVisibility())).observe(note, { attributes: true });
    })`);
    const clicked = page.getByRole('button', { name: 'Look at it' }).click();
    expect(await shown).toBe(true);
    await expect.poll(() => waiting.length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(page.url()).not.toContain('url=');
    await expect
      .poll(
        async () => {
          for (const answer of waiting.splice(0)) answer();
          return page.url().includes('url=');
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    await clicked;
    await close();
  });

  test('all of it works without a script', async () => {
    const { page, ensureClean, close } = await lab.open('add', { signedIn: true, javaScriptEnabled: false });
    await page.getByLabel('Address of a site').fill(site.url);
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.locator('input[value="div.stamp"]').check();
    await page.getByRole('button', { name: 'Leave these out and look again' }).click();
    expect(await page.locator('.said').allTextContents()).not.toContain('Built at noon.\n');
    await page.getByLabel('Id:').fill('plain');
    await page.getByRole('button', { name: 'Watch this' }).click();
    await page.waitForURL(/\/sources\/plain\?done=/);

    await page.goto(new URL('add', lab.hub.url).href);
    await page.getByLabel('One address on each line').fill('https://one.example/\nhttps://two.example/\n');
    await page.getByRole('button', { name: 'Show what would be added' }).click();
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.getByRole('button', { name: 'Watch 2 sources' }).click();
    await page.waitForURL(/\/sources\?done=/);
    await ensureClean();
    await close();
  });

  test('all of it works below a path of a proxy', async () => {
    const base = await startProxy(lab.hub.url);
    const { page, ensureClean, close } = await lab.open('add', { base });
    expect(page.url()).toContain('/below/sign-in');
    await page.locator('input[name=token]').fill('test-token-of-the-browser-lab');
    await page.locator('main button').first().click();
    await page.waitForURL(/\/below\/add$/);
    await page.getByLabel('Address of a site').fill(site.url);
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.locator('input[value="div.stamp"]').check();
    await page.getByRole('button', { name: 'Leave these out and look again' }).click();
    await page.waitForURL(/\/below\/add\/preview$/);
    await page.getByLabel('Id:').fill('below');
    await page.getByRole('button', { name: 'Watch this' }).click();
    await page.waitForURL(/\/below\/sources\/below\?done=/);
    await ensureClean();
    await close();
  });

  test('whatever a site calls its blocks, nothing of it runs, and a rule made of it is one rule', async () => {
    // What holds a NUL is no text, and not read at all.
    const attribute = (text: string) => text.replaceAll('\0', '').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const shown = (text: string) => attribute(text).replaceAll('<', '&lt;');
    const blocks = HOSTILE_STRINGS.map(
      (text) =>
        `<h2 id="${attribute(text)}">${shown(text)}</h2><div class="${attribute(text)}" role="${attribute(text)}">${shown(text)}</div>`,
    );
    const title = shown(HOSTILE_STRINGS[3] ?? '');
    await using evil = await startLiveSite({ '/': `<title>${title}</title><main>${blocks.join('')}</main>` });
    const { page, faults, close } = await lab.open(`add?url=${encodeURIComponent(evil.url)}`, { signedIn: true });
    expect(await foreignParts(page)).toEqual([]);
    for (const box of await page.locator('input[name=ignore]').all()) await box.check();
    expect(await foreignParts(page)).toEqual([]);
    await page.getByRole('button', { name: 'Leave these out and look again' }).click();
    await page.waitForURL(/\/add\/preview$/);
    expect(await page.locator('[id$=-problem]').count()).toBe(0);
    expect([...(await foreignParts(page)), ...faults]).toEqual([]);
    await close();
  });
});

/** Serves a hub below `/below/`, as a proxy does. */
async function startProxy(target: string): Promise<string> {
  const { port } = new URL(target);
  const proxy = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/below/, '') || '/';
    const { method, headers } = request;
    const asked = forward({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/below/`;
}
