import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { FakeWatch, siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { RequestJournal } from '../../../fetch/request-journal.ts';
import { NOBODY, type Viewer } from '../../sign-in/viewer.ts';
import type { HubPage } from '../page-frame.ts';
import { viewRoutes } from '../view.ts';
import { type BotPageParts, botPageView } from './bot-page.ts';

const T0 = Date.parse('2026-03-01T12:00:00Z');
const FRAME = ({ main }: HubPage) => main;

function lab(parts: Partial<BotPageParts> = {}, viewer: Viewer = NOBODY) {
  const journal = new RequestJournal({ now: () => T0 });
  const watch = new FakeWatch([
    watchedSource(siteConfig('docs')),
    watchedSource({ ...siteConfig('x'), kind: 'auto', url: 'https://a.github.io/' }),
  ]);
  const views = [botPageView({ watch, journal, config: {}, ...parts })];
  const routes = viewRoutes(views, { viewers: { viewerOf: () => viewer }, frame: FRAME });
  return {
    journal,
    watch,
    page: async (query = '') => textOf(await callRoute(routes, `GET /bot${query}`)),
    facts: async (query = '') => jsonOf(await callRoute(routes, `GET /api/v1/views/bot${query}`)),
    status: async (query: string) => (await callRoute(routes, `GET /bot${query}`)).status,
  };
}

test('it says its name as it is sent, and how to stop it', async () => {
  const { page } = lab({
    config: { botUrl: 'https://hub.tidings.dev/bot', contact: 'bot@tidings.dev', cooldownMs: 5000 },
  });
  const html = await page();
  expect(html).toContain('<code>AIWebIndex/2.0 (+https://hub.tidings.dev/bot; tidings)</code>');
  expect(html).toContain('<pre>User-agent: AIWebIndex\nDisallow: /</pre>');
  expect(html).toContain('at least 5 seconds');
  expect(html).toContain('<a href="mailto:bot@tidings.dev">bot@tidings.dev</a>');
});

test('a pause below what counts on the public web is not promised', async () => {
  expect((await lab({ config: { cooldownMs: 0 } }).facts()).cooldownSeconds).toBe(2);
});

test('a host that is watched is shown what it was asked for', async () => {
  const { journal, page, facts } = lab();
  journal.asked(new URL('https://docs.example/a?token=secret')).answered(200);
  journal.asked(new URL('https://docs.example/robots.txt'));
  const requests = [
    { time: '2026-03-01T12:00:00Z', path: '/robots.txt', bytes: 0 },
    { time: '2026-03-01T12:00:00Z', path: '/a?…', status: 200, bytes: 0 },
  ];
  for (const typed of ['docs.example', 'DOCS.example.', 'https://docs.example/b?c', '%20docs.example%20']) {
    expect(await facts(`?host=${typed}`), typed).toMatchObject({ host: 'docs.example', requests });
  }
  const html = await page('?host=docs.example');
  expect(html).toContain('The newest 2 requests to <bdi>docs.example</bdi>.');
  expect(html).not.toContain('secret');
});

test('of a host that no source is on nothing is told, asked or not', async () => {
  const { journal, page } = lab();
  for (const host of ['hooks.partner.dev', 'b.github.io', 'docs.example:8443'])
    journal.asked(new URL(`https://${host}/secret`));
  for (const host of ['hooks.partner.dev', 'b.github.io', 'nobody.dev']) {
    const html = await page(`?host=${host}`);
    expect(html, host).toContain('Nothing is known of this host');
    expect(html).not.toContain('/secret');
  }
});

test('a private hub tells strangers nothing of what it watches', async () => {
  const of = async (viewer: Viewer) => {
    const { journal, facts } = lab({ config: { access: 'private' } }, viewer);
    journal.asked(new URL('https://docs.example/a'));
    return (await facts('?host=docs.example')).requests.length;
  };
  expect([await of(NOBODY), await of({ domains: ['docs.example'] }), await of({ domains: ['x.example'] })]).toEqual([
    0, 1, 0,
  ]);
});

test('another host of the same owner is shown, too', async () => {
  const { journal, watch, facts } = lab();
  watch.byId.set('y', watchedSource({ id: 'y', kind: 'page', urls: ['https://one.dev/', 'https://www.two.dev/'] }));
  journal.asked(new URL('https://two.dev/'));
  expect((await facts('?host=two.dev')).requests).toHaveLength(1);
});

test.each([
  'host=a%20b',
  'host=%3Cscript%3Ealert(1)%3C/script%3E',
  'host=user:pw@docs.example',
  `host=${'x'.repeat(100_000)}`,
  'host=%00',
  'host=%ED%A0%80%5C',
  'host=docs.example&host=docs.example',
])('what is no host is refused in both forms: %.40s', async (query) => {
  const { page, status, facts } = lab();
  expect(await status(`?${query}`)).toBe(400);
  expect(await page(`?${query}`)).not.toContain('<script>alert');
  expect(await facts(`?${query}`)).toMatchObject({ status: 400 });
});

test('a path from outside is shown and never run', async () => {
  const { journal, page } = lab();
  journal.asked(new URL('https://docs.example/%3Cscript%3E"><img src=x>'));
  const html = await page('?host=docs.example');
  expect(html).not.toMatch(/<script>|<img/);
  expect(html).toContain('/%3Cscript%3E%22%3E%3Cimg%20src=x%3E');
});
