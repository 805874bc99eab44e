import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { type LiveSite, startLiveSite } from '../support/live-site.ts';
import { PICKED_PAGE } from '../support/picked-page.ts';

describe.runIf(hasBrowser())('a source is added in a browser', () => {
  let lab: BrowserLab;
  let site: LiveSite;

  beforeAll(async () => {
    site = await startLiveSite({ '/': PICKED_PAGE });
    lab = await openBrowserLab({ allowPrivate: true, cooldownMs: 0 });
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  test('blocks are picked by mouse and keyboard, and what was picked is left out', async () => {
    const { page, ensureClean, close } = await lab.open(`add?url=${encodeURIComponent(site.url)}`, { signedIn: true });
    const promo = page.locator('li[data-rule="aside.promo"]');
    await promo.locator('label').click();
    expect(await promo.getAttribute('class')).toContain('picked');
    const picked = page.locator('[data-picked] li');
    expect(await picked.allTextContents()).toEqual(['aside.promo Put back']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await picked.allTextContents()).toEqual(['aside.promo Put back', 'div.stamp Put back']);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Space');
    expect(await picked.allTextContents()).toContain('section.box Put back');
    await page.getByRole('button', { name: 'Put back section.box' }).click();
    expect(await picked.count()).toBe(2);
    await ensureClean();
    await page.getByRole('button', { name: 'Leave these out and look again' }).click();
    await page.waitForURL(/\/add\/preview$/);
    expect(await page.locator('.said').allTextContents()).toEqual(['The first paragraph.\n', 'The second.\n']);
    expect(await page.locator('input[name=ignore]:checked').count()).toBe(2);
    await close();
  });
});
