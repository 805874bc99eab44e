import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { announcement, startLiveOrigin } from '../support/agent-feed-origin.ts';
import { hasBrowser, openBrowserLab } from '../support/browser-lab.ts';
import { temporaryFolder } from '../support/site.ts';
import { createTestAuthority } from '../support/test-ca.ts';

describe.runIf(hasBrowser())('trust is given back in a browser', () => {
  test('an agent-feed that its origin ended is trusted again, and read at once', async () => {
    using folder = temporaryFolder();
    const authority = createTestAuthority();
    folder.write({ 'ca.pem': authority.cert });
    await using origin = await startLiveOrigin(authority);
    origin.state(announcement(''));
    const acme = { id: 'acme', kind: 'feed', dialect: 'agent-feed', url: origin.url };
    await using lab = await openBrowserLab({
      allowPrivate: true,
      cooldownMs: 0,
      ca: join(folder.path, 'ca.pem'),
      sources: [acme],
    });
    const { page, ensureClean, close } = await lab.open('sources/acme', { signedIn: true });
    const newest = page.locator('#changes > table tbody tr').first();
    await expect.poll(() => newest.textContent(), { timeout: 30_000 }).toContain('create');

    origin.status('terminated');
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect.poll(() => newest.textContent(), { timeout: 30_000 }).toContain('delete');
    const state = page.locator('h1 .badge');
    await expect.poll(() => state.textContent()).toBe('error');
    await ensureClean();

    origin.status('active');
    await page.getByText('Trust it again …').click();
    const trust = page.getByRole('button', { name: 'Trust it again' });
    await ensureClean();
    await trust.click();
    expect(await page.locator('.done').textContent()).toBe('The feed is trusted again, and looked at now.');
    await expect.poll(() => newest.textContent(), { timeout: 30_000 }).toContain('create');
    await expect.poll(() => state.textContent()).toBe('ok');
    expect(await page.getByText('Trust it again').count()).toBe(0);
    await ensureClean();
    await close();
    expect(JSON.stringify(await lab.api('GET /api/v1/admin/log'))).toContain('/retrust');
  });
});
