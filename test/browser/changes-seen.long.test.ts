import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

describe.runIf(hasBrowser())('a change in a browser', () => {
  let lab: BrowserLab;

  beforeAll(async () => {
    lab = await openBrowserLab();
    await lab.edit('pricing.html', '19', '23');
  });
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });

  test('its words are marked, its looks are switched without a script, and nothing is wrong with the page', async () => {
    const plain = await lab.open('', { javaScriptEnabled: false });
    await plain.page.locator('#recent tbody tr a').first().click();
    await plain.page.waitForURL('**/changes/*');
    expect(await plain.page.locator('.diff del').allTextContents()).toContain('19');
    await plain.page.getByRole('link', { name: 'Inline' }).click();
    expect(await plain.page.locator('.inline-diff ins').allTextContents()).toContain('23');
    const address = new URL(plain.page.url()).pathname.slice(1);
    await plain.close();

    const { page, ensureClean, close } = await lab.open(address);
    expect(await page.locator('pre.wire').count()).toBe(3);
    await ensureClean();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${page.url()}?look=rendered`);
    await ensureClean();
    await page.setViewportSize({ width: 360, height: 800 });
    const scrolled = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(scrolled)).toBe(0);
    await close();
  });

  test('the timeline compares two versions that were chosen', async () => {
    await lab.edit('pricing.html', '23', '29');
    const { page, ensureClean, close } = await lab.open('');
    await page.locator('#recent tbody tr a').first().click();
    await page.getByRole('link', { name: 'All versions of this' }).click();
    await page.waitForURL('**/timeline?*');
    await ensureClean();
    const from = page.locator('input[name=a]');
    await from.nth((await from.count()) - 1).check();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL('**/timeline?*b=*');
    expect(await page.locator('ins').count()).toBeGreaterThan(0);
    await ensureClean();
    await close();
  });
});
