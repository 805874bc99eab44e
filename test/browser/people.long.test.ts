import { describe, expect, test } from 'vitest';
import { hasBrowser, openBrowserLab } from '../support/browser-lab.ts';

describe.runIf(hasBrowser())('pages for strangers and for owners, in a browser', () => {
  test('a claim is kept by one browser; what may not be followed is refused with its reason', async () => {
    await using lab = await openBrowserLab({ selfService: { enabled: true } });
    const claimIn = async (page: Awaited<ReturnType<typeof lab.open>>['page']) => {
      await page.goto(new URL('owners', lab.hub.url).href);
      await page.getByLabel('Domain').fill('docs.lantern.dev');
      await page.getByRole('button', { name: 'Show what to publish' }).click();
      return await page
        .getByText(/^aiwi-verify=/)
        .first()
        .textContent();
    };
    const { page, ensureClean } = await lab.open('bot?host=lantern.example');
    await page.getByText('Nothing is known of this host').waitFor();
    const value = await claimIn(page);
    await ensureClean();
    expect(await claimIn(page), 'the same browser has the same token').toBe(value);
    expect(await page.evaluate('document.cookie'), 'no script reads the cookie').toBe('');

    const other = await lab.open('follow');
    expect(await claimIn(other.page), 'another one has another').not.toBe(value);
    await other.page.goto(new URL('follow', lab.hub.url).href);
    await other.page.getByLabel('Address of the site').fill('intranet.internal');
    await other.page.getByRole('button', { name: 'Follow' }).click();
    await other.page.getByText('Only sites on the public web are followed.').waitFor();
  });
});
