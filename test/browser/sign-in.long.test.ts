import { expect, test } from 'vitest';
import { hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { startTeamProvider } from '../support/team-provider.ts';

test.skipIf(!hasBrowser())('people sign in at the provider of their team, in a browser', async () => {
  const members = { ann: { preferred_username: 'ann', groups: ['ops'] }, eve: { preferred_username: 'eve' } };
  await using provider = await startTeamProvider(members, true);
  await using lab = await openBrowserLab({ signIn: { oidc: provider.settings } });
  provider.serve(`${lab.hub.url}sign-in/callback`);
  const signIn = async (login: string) => {
    const opened = await lab.open('sign-in?to=admin');
    const { page } = opened;
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.locator('input[name=login]').fill(login);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
    await page.waitForURL((url) => url.href.startsWith(lab.hub.url));
    return opened;
  };
  const ann = await signIn('ann');
  expect(await ann.page.locator('h1').textContent()).toBe('Admin log');
  expect(await ann.page.locator('.account').textContent()).toContain('ann @ 127.0.0.1');
  const eve = await signIn('eve');
  expect(await eve.page.locator('[role=alert]').textContent()).toContain('no role of this hub is yours');
  // The pages of the provider are its own affair.
  const own = [...ann.faults, ...eve.faults].filter((fault) => !/^outside: |^console: /.test(fault));
  expect(own).toEqual([]);
});
