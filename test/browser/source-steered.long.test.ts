import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

describe.runIf(hasBrowser())('a source in a browser', () => {
  let lab: BrowserLab;

  beforeAll(async () => {
    lab = await openBrowserLab();
  });
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });

  test('its page is drawn, renews itself, and nothing is wrong with it in light, dark and narrow', async () => {
    const { page, ensureClean, close } = await lab.open('sources/lantern');
    await expect.poll(() => page.locator('.strip rect').count()).toBeGreaterThan(0);
    expect(await page.locator('.chart .bar').count()).toBe(30);
    const copied = page.locator('.feeds button').first();
    expect(await copied.isVisible()).toBe(true);
    await ensureClean();
    await lab.edit('pricing.html', '19', '23');
    await expect.poll(() => page.locator('#changes > table tbody tr').first().textContent()).toContain('update');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await ensureClean();
    await close();
  });
});
