import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserLab, hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

describe.runIf(hasBrowser())('what an operator does in a browser', () => {
  let lab: BrowserLab;

  beforeAll(async () => {
    lab = await openBrowserLab();
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  test('a key is issued, seen and revoked; alerts are looked at, in the dark too', async () => {
    const { page, ensureClean, close } = await lab.open('keys', { signedIn: true, colorScheme: 'dark' });
    await page.getByLabel('Who has it').fill('Search team');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    expect(await page.locator('dd code').first().textContent()).toMatch(/^dd_live_/);
    await page.getByRole('link', { name: 'Go on to all keys' }).click();
    await ensureClean();
    await page.locator('tbody a', { hasText: 'dd_live_' }).click();
    await ensureClean();
    await page.locator('summary', { hasText: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    expect(await page.locator('h1').textContent()).toContain('revoked');
    await page.getByRole('link', { name: 'Alerts' }).click();
    expect(await page.locator('h1').textContent()).toBe('Alerts');
    await ensureClean();
    await close();
  });
});
