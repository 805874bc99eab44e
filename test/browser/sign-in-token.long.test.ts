import { expect, test } from 'vitest';
import { hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

test.skipIf(!hasBrowser())(
  'people sign in with the token, see the admin log, and sign out, without a script',
  async () => {
    await using lab = await openBrowserLab();
    const { page, ensureClean, close } = await lab.open('admin', { signedIn: true, colorScheme: 'dark' });
    expect(await page.locator('h1').textContent()).toBe('Admin log');
    await ensureClean();
    await close();

    const plain = await lab.open('sign-in?to=sources', { javaScriptEnabled: false });
    await plain.page.locator('input[name=token]').fill('wrong-token-of-some-length');
    await plain.page.locator('main button').click();
    expect(await plain.page.locator('[role=alert]').textContent()).toContain('not the hub’s token');
    await plain.close();

    const light = await lab.open('sign-in?to=sources');
    await light.ensureClean();
    await light.page.locator('input[name=token]').fill('test-token-of-the-browser-lab');
    await light.page.keyboard.press('Enter');
    await light.page.waitForURL(/\/sources$/);
    await light.page.locator('form.account button').click();
    await light.page.waitForURL(/done=signed-out/);
    expect(await light.page.locator('.done').textContent()).toBe('You are signed out.');
    await light.ensureClean();
    await light.close();
  },
);
