import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

const PREFIX = '/news/tidings';

describe.runIf(hasBrowser())('a hub below a path of a proxy', () => {
  let lab: BrowserLab;
  let proxy: Server;
  let base: string;

  beforeAll(async () => {
    proxy = createServer((request, response) => {
      if (!request.url?.startsWith(`${PREFIX}/`)) return void response.writeHead(404).end();
      const { hostname, port } = new URL(lab.hub.url);
      const path = request.url.slice(PREFIX.length);
      const passed = ask({ hostname, port, path, method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      request.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PREFIX}/`;
    lab = await openBrowserLab({ baseUrl: base });
  });
  afterAll(async () => {
    proxy?.closeAllConnections();
    proxy?.close();
    await lab?.[Symbol.asyncDispose]();
  });

  test('every link, form and stream stays below it, and so does the cookie', async () => {
    const { page, ensureClean, close } = await lab.open('', { base, signedIn: true });
    const [cookie] = await page.context().cookies();
    expect(cookie?.path).toMatch(/^\/news\/tidings/);
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByRole('link', { name: 'Lantern' }).click();
    expect(new URL(page.url()).pathname).toBe(`${PREFIX}/sources/lantern`);
    await page.goto(base);
    await lab.edit('pricing.html', '19', '23');
    await expect.poll(() => page.locator('#recent tbody tr').first().textContent()).toContain('update');
    const addresses = await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
    const own = addresses.filter((address) => new URL(address).origin === new URL(base).origin);
    expect(own.filter((address) => !address.startsWith(base))).toEqual([]);
    await ensureClean();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(page.url().startsWith(base)).toBe(true);
    await close();
  });
});
