import { expect, test } from 'vitest';
import { type LiveSite, pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import { openPolite } from '../../doors/open-http.ts';
import { readConsent, type SiteConsent } from './site-consent.ts';

async function lookAt(site: LiveSite, allowPrivate = true): Promise<SiteConsent> {
  await using ways = await openPolite({ allowPrivate, cooldownMs: 0 });
  return await readConsent(
    new URL(site.url),
    ways.of({ name: 'self-service', isOwn: () => false }),
    AbortSignal.timeout(10_000),
  );
}

test('a site that forbids nothing is open, also one that wants no models trained', async () => {
  await using site = await startLiveSite({
    '/': pageOf('Start'),
    '/robots.txt': 'User-agent: *\nContent-Signal: ai-train=no\n',
  });
  expect(await lookAt(site)).toMatchObject({ is: 'open' });
});

test('robots.txt that forbids the page is heard, for our name and for all', async () => {
  for (const agent of ['*', 'AIWebIndex']) {
    await using site = await startLiveSite({
      '/': pageOf('Start'),
      '/robots.txt': `User-agent: ${agent}\nDisallow: /\n`,
    });
    expect(await lookAt(site), agent).toMatchObject({ is: 'closed', reason: expect.stringContaining('forbids /') });
  }
});

test.each(['search=no', 'ai-input=no'])('terms that say %s are heard', async (signal) => {
  await using site = await startLiveSite({
    '/': pageOf('Start'),
    '/robots.txt': `User-agent: *\nContent-Signal: ${signal}\n`,
  });
  const [use] = signal.split('=');
  expect(await lookAt(site)).toEqual({
    is: 'closed',
    reason: `The site says that its pages are not to be used for "${use}".`,
  });
});

test('an address of our own network is not asked, and not told', async () => {
  await using site = await startLiveSite({ '/': pageOf('Start') });
  expect(await lookAt(site, false)).toEqual({ is: 'closed', reason: 'Only sites on the public web are followed.' });
});

test('a site without a page to read is none', async () => {
  await using site = await startLiveSite({});
  expect(await lookAt(site)).toMatchObject({ is: 'unreadable', reason: expect.stringContaining('could not be read') });
});
