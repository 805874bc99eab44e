import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

describe.runIf(hasBrowser())('the search in a browser', () => {
  let lab: BrowserLab;

  beforeAll(async () => {
    lab = await openBrowserLab();
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  test('words and filters are filled in by keyboard, and the address keeps them', async () => {
    const { page, ensureClean, close } = await lab.open('search');
    await page.locator('#q').focus();
    await page.keyboard.type('pricing');
    await page.locator('#action').selectOption('create');
    await page.keyboard.press('Tab');
    await page.locator('#q').press('Enter');
    await page.waitForURL(/q=pricing/);
    expect(await page.locator('#changes tbody tr').first().textContent()).toContain('ricing');
    expect(await page.locator('#pages .hits li').count()).toBeGreaterThan(0);
    await ensureClean();
    await page.reload();
    expect([await page.locator('#q').inputValue(), await page.locator('#action').inputValue()]).toEqual([
      'pricing',
      'create',
    ]);
    const feed = await page.locator('#feeds a[href*="search.atom"]').getAttribute('href');
    const answer = await page.request.get(new URL(feed ?? '', page.url()).href);
    expect([answer.status(), await answer.text()]).toEqual([200, expect.stringContaining('<entry>')]);
    await close();
  });
});
