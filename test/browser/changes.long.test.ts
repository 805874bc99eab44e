import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

const HOSTILE =
  '&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt; <a href="javascript:alert(1)">click</a> <img src="https://elsewhere.example/a.png" alt="seen"> &#x202e;';

describe.runIf(hasBrowser())('changes in a browser, whole', () => {
  let lab: BrowserLab;
  let address = '';

  beforeAll(async () => {
    lab = await openBrowserLab();
    await lab.edit('pricing.html', '19', `23 ${HOSTILE}`);
    const { page, close } = await lab.open('');
    address = (await page.locator('#recent tbody tr a').first().getAttribute('href')) ?? '';
    await close();
  }, 120_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });

  test.each(['side', 'inline', 'rendered'] as const)(
    '%s: wide and narrow, light and dark, nothing runs or is loaded',
    async (look) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1280, 360]) {
          const { page, ensureClean, close } = await lab.open(`${address}?look=${look}`, { colorScheme, width });
          await ensureClean();
          expect(await page.locator('main').textContent(), 'it is there, as text').toContain(
            '<script>alert(1)</script>',
          );
          expect(await page.locator('main img').count()).toBe(0);
          expect(await page.locator('main a[href^="javascript"]').count()).toBe(0);
          const scrolled = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
          expect(await page.evaluate(scrolled)).toBe(0);
          await close();
        }
      }
    },
    120_000,
  );

  test('the looks are reached by the keyboard, and the changes before and behind lead on', async () => {
    const { page, ensureClean, close } = await lab.open(address);
    await page.locator('.looks a').first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**?look=inline');
    await page.locator('#log-title ~ dl a').first().click();
    await page.waitForURL((url) => !url.pathname.endsWith(address.slice(2)));
    await ensureClean();
    await close();
  }, 120_000);

  test('a change that is not there has a page that says so', async () => {
    const { page, close } = await lab.open('changes/01ARZ3NDEKTSV4RRFFQ69G5FAV');
    expect(await page.locator('main').textContent()).toContain('This hub has no change');
    await close();
  }, 120_000);

  test('the timeline, wide and narrow, light and dark', async () => {
    await lab.edit('pricing.html', '23', '29');
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 360]) {
        const { page, ensureClean, close } = await lab.open(address, { colorScheme, width });
        await page.getByRole('link', { name: 'All versions of this' }).click();
        await page.waitForURL('**/timeline?*');
        await ensureClean();
        expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
          0,
        );
        await close();
      }
    }
  }, 120_000);
});
