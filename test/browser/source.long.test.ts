import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab, type WatchedPage } from '../support/browser-lab.ts';

interface SourceAnswer {
  readonly paused?: string;
  readonly config: { readonly title?: string; readonly ignore?: readonly string[]; readonly intervalSeconds?: number };
}

describe.runIf(hasBrowser())('a source is steered in a browser', () => {
  let lab: BrowserLab;
  let opened: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    lab = await openBrowserLab();
    // Nothing answers there, and nothing may: addresses of our own network are refused.
    await lab.api('POST /api/v1/sources', { id: 'lost', kind: 'page', url: 'http://127.0.0.1:9/' });
    opened = await lab.open('sources/lantern', { signedIn: true });
    page = opened.page;
  });
  afterAll(async () => {
    await opened?.close();
    await lab?.[Symbol.asyncDispose]();
  });

  const source = async (id: string) => (await lab.api(`GET /api/v1/sources/${id}`)) as SourceAnswer;
  const visit = (path: string) => page.goto(new URL(path, lab.hub.url).href);
  const said = () => page.locator('.done').textContent();

  test('it is paused with a reason that everybody reads, and resumed', async () => {
    await visit('sources/lantern');
    await page.getByText('Pause …').click();
    await page.getByLabel('Why?').fill('moving <b>house</b>');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    expect(await said()).toBe('The source is paused.');
    expect(await page.locator('.pause').textContent()).toBe('Paused by the operator: moving <b>house</b>');
    expect((await source('lantern')).paused).toBe('moving <b>house</b>');
    await opened.ensureClean();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    expect(await said()).toBe('It is watched again, from now on.');
    expect(await source('lantern')).not.toHaveProperty('paused');
  });

  test('from the source to a page and to its sections, without a script', async () => {
    const plain = await lab.open('sources/lantern', { javaScriptEnabled: false });
    await plain.page.getByRole('link', { name: 'Its pages and their sections' }).click();
    await plain.page.locator('tbody tr td a').first().click();
    await expect.poll(() => plain.page.locator('h2').first().isVisible()).toBe(true);
    expect(await plain.page.locator('caption').textContent()).toBe('Its sections, in the order of the page.');
    await plain.ensureClean();
    await plain.close();
    const list = await lab.open('sources/lantern/pages?order=address');
    await list.ensureClean();
    await list.close();
  });

  test('it is checked now, and what stands in the config is not edited here', async () => {
    await visit('sources/lantern');
    await page.getByRole('button', { name: 'Check now' }).click();
    expect(await said()).toBe('It is looked at now.');
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await visit('sources/lantern/edit');
    expect(await page.locator('.empty').textContent()).toContain('config file');
    await opened.ensureClean();
  });

  test('the overview has the remedy of a trouble as a button', async () => {
    const isBroken = async () => {
      await visit('');
      return page.locator('#attention form[action$="sources/lost/check"]').count();
    };
    await expect.poll(isBroken, { timeout: 30_000, interval: 200 }).toBe(1);
    await opened.ensureClean();
    await page.locator('#attention').getByRole('button', { name: 'Check now' }).click();
    await page.waitForURL(/sources\/lost\?/);
    expect(await said()).toBe('It is looked at now.');
  });

  test('settings are edited; what is refused says why', async () => {
    await visit('sources/lost');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Lost & found');
    await page.getByLabel('Left out').fill('.ad\n/log/**');
    await page.getByLabel('Seconds between two looks').fill('600');
    await opened.ensureClean();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await said()).toBe('The settings count from now on.');
    expect((await source('lost')).config).toMatchObject({
      title: 'Lost & found',
      ignore: ['.ad', '/log/**'],
      intervalSeconds: 600,
    });
    await visit('sources/lost/edit');
    await page.getByLabel('Left out').fill('a[');
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await answer).status()).toBe(400);
    expect(await page.locator('main').textContent()).toContain('ignore[0]');
  });

  test('it is removed when that is asked for once more', async () => {
    await visit('sources/lost');
    const remove = page.getByRole('button', { name: 'Remove', exact: true });
    expect(await remove.isVisible()).toBe(false);
    await page.getByText('Remove …').click();
    await remove.click();
    expect(await said()).toBe('The source is not watched any more.');
    const answer = await visit('sources/lost');
    expect(answer?.status()).toBe(404);
  });
});
