import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

describe.runIf(hasBrowser())('the overview in a browser', () => {
  let lab: BrowserLab;

  beforeAll(async () => {
    lab = await openBrowserLab();
  });
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });

  test('an edit appears by itself, and nothing is wrong with the page in light and dark', async () => {
    const { page, ensureClean, close } = await lab.open('');
    await expect.poll(() => page.locator('#recent tbody tr').count()).toBeGreaterThan(3);
    await ensureClean();
    await lab.edit('pricing.html', '19', '23');
    await expect.poll(() => page.locator('#recent tbody tr').first().textContent()).toContain('update');
    await ensureClean();
    await page.emulateMedia({ colorScheme: 'dark' });
    await ensureClean();
    await close();
  });

  test('it is read without a script, and by the keyboard', async () => {
    const plain = await lab.open('', { javaScriptEnabled: false });
    expect(await plain.page.locator('h1').textContent()).toBe('What changed on the web');
    await plain.ensureClean();
    await plain.close();
    const { page, close } = await lab.open('sources');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    await close();
  });
});
