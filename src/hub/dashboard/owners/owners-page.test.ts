import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { FakeWatch, NEVER_CHECKED, watchedSource } from '../../../../test/support/fake-watch.ts';
import { RequestJournal } from '../../../fetch/request-journal.ts';
import type { Route } from '../../http/route.ts';
import { NOBODY, type Viewer } from '../../sign-in/viewer.ts';
import { formRoutes } from '../form.ts';
import type { HubPage } from '../page-frame.ts';
import { viewRoutes } from '../view.ts';
import { OWNER_FORMS } from './owner-forms.ts';
import { ownersPageView } from './owners-page.ts';

const T0 = Date.parse('2026-03-01T12:00:00Z');
const HOSTILE = '"><script>alert(1)</script>\u202e';
const frame = ({ main }: HubPage) => main;

function lab(viewer: Viewer, api: readonly Route[] = []) {
  const watch = new FakeWatch([
    watchedSource(
      { id: 'docs', kind: 'site', url: 'https://docs.one.dev/', title: HOSTILE },
      { health: { ...NEVER_CHECKED, looks: 40, failures: 2, error: { code: 'X', message: HOSTILE } } },
    ),
    watchedSource({ id: 'paused', kind: 'site', url: 'https://one.dev/' }, { paused: HOSTILE, pausedBy: 'domain' }),
    watchedSource({ id: 'other', kind: 'site', url: 'https://two.dev/', title: 'not yours' }),
  ]);
  watch.checks = [
    { source: 'docs', atMs: T0, tookMs: 1, outcome: 'ok', changes: 3 },
    { source: 'docs', atMs: T0, tookMs: 1, outcome: 'error', changes: 0 },
  ];
  const journal = new RequestJournal({ now: () => T0 });
  for (const url of ['https://docs.one.dev/', 'https://one.dev.evil.dev/', 'https://two.dev/']) {
    journal.asked(new URL(url)).received(70);
  }
  const viewers = { viewerOf: () => viewer };
  const routes = [
    ...viewRoutes([ownersPageView({ watch, journal, minIntervalSeconds: 900, now: () => T0 })], { viewers, frame }),
    ...formRoutes(OWNER_FORMS, { viewers, frame, routes: () => api }),
  ];
  return { routes, page: () => callRoute(routes, 'GET /owners') };
}

test('who has proven nothing sees how to, and nothing of any source', async () => {
  const answer = await lab(NOBODY).page();
  expect(textOf(answer)).toContain('Prove a domain');
  expect(textOf(answer)).not.toMatch(/docs.one|not yours/);
  expect(answer.headers['cache-control']).toBe('no-cache');
});

test('who has proven a domain sees what is watched of it and what it costs, and nobody keeps the page', async () => {
  const { page, routes } = lab({ domains: ['one.dev'] });
  const answer = await page();
  const html = textOf(answer);
  expect(html).not.toMatch(/not yours|evil|<script>alert/);
  expect(html).toContain('action="./owners/sources/docs/pause"');
  expect(html).toContain('action="./owners/sources/paused/resume"');
  expect(html).not.toContain('every 5 minutes');
  expect(answer.headers['cache-control']).toBe('private, no-store');
  const { domains } = jsonOf(await callRoute(routes, 'GET /api/v1/views/owners'));
  expect(domains).toMatchObject([
    {
      domain: 'one.dev',
      sources: [{ source: { id: 'docs' }, checks: 40, changes: 3, failed: 1 }, { isPausedByOwner: true }],
      hosts: [{ host: 'docs.one.dev', requests: 1, bytes: 70 }],
    },
  ]);
});

test('a form hands on the cookie that the API sets, and shows what is to be published', async () => {
  const said = { domain: HOSTILE, dns: { name: HOSTILE, value: HOSTILE }, file: { url: HOSTILE } };
  const api: Route = {
    method: 'POST',
    path: '/api/v1/owners/token',
    access: 'open',
    summary: '',
    responses: {},
    handle: ({ isAdmin, body }) => ({
      status: isAdmin ? 500 : 200,
      headers: { 'set-cookie': 'a=b' },
      body: JSON.stringify({ ...said, got: body }),
    }),
  };
  const { routes } = lab({ role: 'admin', name: 'ann', formToken: 't' }, [api]);
  const answer = await callRoute(routes, 'POST /owners/token', {
    body: new TextEncoder().encode('domain=one.dev'),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([200, 'a=b']);
  expect(textOf(answer)).not.toContain('<script>alert');
  expect(textOf(answer)).toContain('action="../owners/check"');
});

test('a check that failed shows what was seen, and runs nothing of it', async () => {
  const report = {
    domain: 'one.dev',
    verified: false,
    remedy: HOSTILE,
    dns: { sightings: [{ server: HOSTILE, outcome: 'other-values', values: [HOSTILE] }] },
    file: { url: HOSTILE, outcome: 'failed', reason: HOSTILE },
  };
  const api: Route = {
    method: 'POST',
    path: '/api/v1/owners/check',
    access: 'open',
    summary: '',
    responses: {},
    handle: () => ({ status: 200, headers: {}, body: JSON.stringify(report) }),
  };
  const html = textOf(await callRoute(lab(NOBODY, [api]).routes, 'POST /owners/check'));
  expect(html).toContain('is not proven yet');
  expect(html).not.toContain('<script>alert');
});
