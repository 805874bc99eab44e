import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { FakeWatch, siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { DEFAULT_SELF_SERVICE } from '../../config/self-service.ts';
import type { HubRequest, Route } from '../../http/route.ts';
import { SELF_SERVICE } from '../../keys/self-service-owner.ts';
import { requestRoutes } from '../../routes/request-routes.ts';
import type { FollowOutcome, FollowRequests } from '../../self-service/follow-requests.ts';
import type { KeptRequest } from '../../self-service/request-book.ts';
import { NOBODY, type Viewer } from '../../sign-in/viewer.ts';
import { formRoutes } from '../form.ts';
import type { HubPage } from '../page-frame.ts';
import { viewRoutes } from '../view.ts';
import { FOLLOW_FORM, followPageView } from './follow-page.ts';

const HOSTILE = '"><script>alert(1)</script>\u202e\u0000';
const T0 = Date.parse('2026-03-01T12:00:00Z');
const frame = ({ main }: HubPage) => main;

function lab(outcome: FollowOutcome, viewer: Viewer = NOBODY, kept: readonly KeptRequest[] = []) {
  const asked: string[] = [];
  const watch = new FakeWatch([watchedSource(siteConfig('rose'), { owner: SELF_SERVICE })]);
  const requests = {
    leftToday: () => 7,
    followed: () => watch.sources(),
    ask: async (url: URL, client: string) => {
      asked.push(`${url} ${client}`);
      return outcome;
    },
  } as unknown as FollowRequests;
  const viewers = { viewerOf: () => viewer };
  const book = { all: () => kept };
  const api = requestRoutes({
    requests,
    book,
    baseUrl: () => 'https://hub.example/',
    deadline: () => new AbortController().signal,
  });
  const view = followPageView({ requests, book, settings: { ...DEFAULT_SELF_SERVICE, enabled: true }, now: () => T0 });
  const routes: Route[] = [
    ...viewRoutes([view], { viewers, frame }),
    ...formRoutes([FOLLOW_FORM], { viewers, frame, routes: () => api }),
    ...api,
  ];
  const send = (fields: string, headers: HubRequest['headers'] = {}) =>
    callRoute(routes, 'POST /follow', {
      body: new TextEncoder().encode(fields),
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'hub.example', ...headers },
    });
  return { routes, asked, send, watch, source: watch.source('rose') ?? watchedSource(siteConfig('x')) };
}

const REFUSED: FollowOutcome = { is: 'refused', status: 403, reason: `robots.txt forbids ${HOSTILE}` };

test('who asks for a site is led to its page, new or not', async () => {
  for (const is of ['added', 'watched'] as const) {
    const { send, asked } = lab({ is, source: watchedSource(siteConfig('rose')) });
    const answer = await send('url=shrine.example/rose');
    expect([answer.status, answer.headers.location]).toEqual([303, './sources/rose?done=follow']);
    expect(asked).toEqual(['https://shrine.example/rose 127.0.0.1']);
  }
});

test('a refusal says why, and runs nothing', async () => {
  const { send } = lab(REFUSED);
  const answer = await send('url=https://shrine.example/');
  expect(answer.status).toBe(403);
  expect(textOf(answer)).toContain('robots.txt forbids');
  expect(textOf(answer)).not.toContain('<script>alert');
});

test.each<HubRequest['headers']>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://hub.example.evil.example' },
])('a form of another site asks for nothing: %j', async (headers) => {
  const { send, asked, routes } = lab(REFUSED);
  expect((await send('url=https://shrine.example/', headers)).status).toBe(403);
  const body = { url: 'https://shrine.example/' };
  const over = { body, headers: { host: 'hub.example', ...headers } };
  expect((await callRoute(routes, 'POST /api/v1/requests', over)).status).toBe(403);
  expect(asked).toEqual([]);
});

test('a form of the hub itself is taken', async () => {
  const { send, asked } = lab(REFUSED);
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://hub.example' }, {}]) {
    await send('url=https://shrine.example/', headers);
  }
  expect(asked).toHaveLength(3);
});

test.each([
  '',
  'javascript:alert(1)',
  'ftp://a.example/',
  'https://u:p@a.example/',
  `https://${'x'.repeat(3000)}.example/`,
  'https://a.example/\u0000',
])('what is no address of the web is refused: %.30j', async (url) => {
  const { send, asked } = lab(REFUSED);
  expect((await send(new URLSearchParams({ url }).toString())).status).toBe(400);
  expect(asked).toEqual([]);
});

test('only who steers the sources sees who asked for what', async () => {
  const kept = [{ atMs: T0, url: 'https://no.example/', client: '192.0.2.7', reason: HOSTILE }];
  const everybody = textOf(await callRoute(lab(REFUSED, NOBODY, kept).routes, 'GET /follow'));
  expect(everybody).toContain('Today the hub looks at 7 more sites.');
  expect(everybody).toContain('rose');
  expect(everybody).not.toContain('192.0.2.7');
  const operator = textOf(await callRoute(lab(REFUSED, { role: 'operate', name: 'ann' }, kept).routes, 'GET /follow'));
  expect(operator).toContain('192.0.2.7');
  expect(operator).not.toContain('<script>alert');
});

test('an answer says when to come again', async () => {
  const { routes } = lab({ is: 'refused', status: 429, reason: 'Enough.', waitMs: 90_500 });
  const answer = await callRoute(routes, 'POST /api/v1/requests', { body: { url: 'https://a.example/' } });
  expect([answer.status, answer.headers['retry-after'], jsonOf(answer).detail]).toEqual([429, '91', 'Enough.']);
});
