import { expect, test } from 'vitest';
import { callRoute } from '../../../../test/support/call-route.ts';
import type { AtomDocument } from './atom-documents.ts';
import { atomRoutes } from './atom-routes.ts';

const DOCUMENT: AtomDocument = {
  etag: '"0a"',
  lastModifiedMs: Date.parse('2026-03-01T12:00:00Z'),
  bytes: 7,
  read: () => Buffer.from('<feed/>'),
};

test('archives may be kept for a day, feeds are asked for each time unless their operator says otherwise', async () => {
  const parts = {
    documents: { current: () => DOCUMENT, archive: () => DOCUMENT },
    shelf: { find: () => undefined, trouble: undefined },
    baseUrl: () => 'https://hub.example/',
    now: () => Date.parse('2026-03-01T13:00:00Z'),
  };
  const cacheRule = async (path: string, ttlSeconds?: number) =>
    (await callRoute(atomRoutes({ ...parts, ttlSeconds }), `GET ${path}`)).headers['cache-control'];
  expect(await cacheRule('/changes.atom')).toBe('no-cache');
  expect(await cacheRule('/changes.atom', 60)).toBe('public, max-age=60');
  expect(await cacheRule('/changes/_archive/1.atom', 60)).toBe('public, max-age=86400');
  expect(await cacheRule('/atom/docs/_archive/1.atom')).toBe('public, max-age=86400');
});

test('an archive that is not kept is 410, and it is said where its changes are', async () => {
  const routes = atomRoutes({
    documents: { current: () => DOCUMENT, archive: (_, { epoch }) => (epoch === undefined ? 'gone' : DOCUMENT) },
    shelf: { find: () => undefined, trouble: undefined },
    baseUrl: () => 'https://hub.example/',
    now: () => 0,
  });
  const { status, body } = await callRoute(routes, 'GET /atom/docs/_archive/2.atom');
  expect([status, JSON.parse(String(body))]).toMatchObject([
    410,
    { archives: 'https://hub.example/api/v1/archives', changes: 'https://hub.example/api/v1/changes' },
  ]);
  expect((await callRoute(routes, 'GET /atom/docs/_archive/2-0a1b2c3d.atom')).status).toBe(200);
  expect((await callRoute(routes, 'GET /atom/docs/_archive/2-0A1.atom')).status).toBe(404);
});
