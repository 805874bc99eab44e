import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { signedInBrowser } from './support/cookie-browser.ts';

const TOKEN = 'test-token-of-the-access-table';
const PAGE = 'https://lantern.example/pricing';
const ELSEWHERE = 'https://elsewhere.example/';

/** What each line of the route table answers without a token, with a wrong one, and with the right one. */
type Line = readonly [request: string, none: number, wrong: number, right: number, body?: object];
const TABLE: readonly Line[] = [
  ['GET /', 200, 200, 200],
  ['GET /assets/{digest}/dashboard.css', 404, 404, 404],
  ['GET /assets/{digest}/dashboard.js', 404, 404, 404],
  ['GET /assets/{digest}/icon.svg', 404, 404, 404],
  ['GET /api/v1/views/overview', 200, 401, 200],
  ['GET /changes/{id}', 404, 404, 404],
  ['GET /api/v1/views/changes/{id}', 404, 401, 404],
  ['GET /verify', 200, 200, 200],
  ['GET /api/v1/views/verify', 200, 401, 200],
  ['GET /assets/{digest}/verify.css', 404, 404, 404],
  ['GET /assets/{digest}/verify.js', 404, 404, 404],
  ['GET /timeline', 400, 400, 400],
  ['GET /api/v1/views/timeline', 400, 401, 400],
  ['GET /sources', 200, 200, 200],
  ['GET /api/v1/views/sources', 200, 401, 200],
  ['GET /sources/{id}', 200, 200, 200],
  ['GET /api/v1/views/sources/{id}', 200, 401, 200],
  ['GET /search', 200, 200, 200],
  ['GET /api/v1/views/search', 200, 401, 200],
  ['GET /search.atom', 200, 200, 200],
  ['GET /search.ndjson', 200, 200, 200],
  ['GET /bot', 200, 200, 200],
  ['GET /api/v1/views/bot', 200, 401, 200],
  ['GET /subscriptions', 303, 303, 303],
  ['GET /api/v1/views/subscriptions', 401, 401, 200],
  ['GET /subscriptions/{id}', 303, 303, 303],
  ['GET /api/v1/views/subscriptions/{id}', 401, 401, 404],
  ['POST /subscriptions/add', 403, 403, 403],
  ['POST /subscriptions/{id}/test', 403, 403, 403],
  ['POST /subscriptions/{id}/replay', 403, 403, 403],
  ['POST /subscriptions/{id}/again', 403, 403, 403],
  ['POST /subscriptions/{id}/pause', 403, 403, 403],
  ['POST /subscriptions/{id}/resume', 403, 403, 403],
  ['POST /subscriptions/{id}/rotate', 403, 403, 403],
  ['POST /subscriptions/{id}/remove', 403, 403, 403],
  ['POST /subscriptions/websub/{id}/end', 403, 403, 403],
  ['GET /keys', 303, 303, 303],
  ['GET /api/v1/views/keys', 401, 401, 200],
  ['GET /keys/{key}', 303, 303, 303],
  ['GET /api/v1/views/keys/{key}', 401, 401, 404],
  ['POST /keys/issue', 403, 403, 403],
  ['POST /keys/{key}/revoke', 403, 403, 403],
  ['GET /alerts', 303, 303, 303],
  ['GET /api/v1/views/alerts', 401, 401, 200],
  ['GET /admin', 303, 303, 303],
  ['GET /api/v1/views/admin', 401, 401, 200],
  ['POST /admin/sessions/end', 403, 403, 403, {}],
  ['POST /admin/sessions/{id}/end', 403, 403, 403, {}],
  ['GET /api/v1/admin/log', 401, 401, 200],
  ['GET /api/v1/admin/sessions', 401, 401, 200],
  ['DELETE /api/v1/admin/sessions', 401, 401, 200],
  ['DELETE /api/v1/admin/sessions/{id}', 401, 401, 404],
  ['GET /sign-in', 200, 200, 200],
  ['POST /sign-in', 403, 403, 403, {}],
  ['POST /sign-out', 303, 303, 303, {}],
  ['GET /check', 200, 200, 200],
  ['GET /api/v1/views/check', 200, 401, 200],
  ['GET /check/badge.svg', 400, 400, 400],
  ['GET /add', 303, 303, 303],
  ['GET /api/v1/views/add', 401, 401, 200],
  ['POST /add/preview', 403, 403, 403],
  ['POST /add/watch', 403, 403, 403],
  ['POST /add/list', 403, 403, 403],
  ['POST /add/import', 403, 403, 403],
  ['GET /follow', 200, 200, 200],
  ['POST /follow', 404, 404, 404],
  ['GET /api/v1/views/follow', 200, 401, 200],
  ['POST /api/v1/requests', 404, 404, 404, { url: 'https://site.example/' }],
  ['GET /api/v1/requests', 401, 401, 200],
  ['GET /sources/{id}/pages', 200, 200, 200],
  ['GET /api/v1/views/sources/{id}/pages', 200, 401, 200],
  ['GET /sources/{id}/edit', 303, 303, 303],
  ['GET /api/v1/views/sources/{id}/edit', 401, 401, 200],
  ['POST /sources/{id}/check', 403, 403, 403],
  ['POST /sources/{id}/pause', 403, 403, 403],
  ['POST /sources/{id}/resume', 403, 403, 403],
  ['POST /sources/{id}/allow-deletes', 403, 403, 403],
  ['POST /sources/{id}/edit', 403, 403, 403],
  ['POST /sources/{id}/retrust', 403, 403, 403],
  ['POST /sources/{id}/remove', 403, 403, 403],
  ['GET /owners', 200, 200, 200],
  ['GET /api/v1/views/owners', 200, 401, 200],
  ['POST /owners/token', 400, 400, 400],
  ['POST /owners/check', 401, 401, 401],
  ['POST /owners/sources/{id}/pause', 401, 401, 401],
  ['POST /owners/sources/{id}/resume', 401, 401, 401],
  ['POST /owners/sources/{id}/interval', 401, 401, 401],
  ['POST /owners/sources/{id}/remove', 401, 401, 401],
  ['POST /api/v1/owners/token', 200, 200, 200, { domain: 'docs.example.dev' }],
  ['POST /api/v1/owners/check', 401, 401, 401, { domain: 'docs.example.dev' }],
  ['POST /api/v1/owners/sources/{id}/pause', 401, 401, 401],
  ['POST /api/v1/owners/sources/{id}/resume', 401, 401, 401],
  ['POST /api/v1/owners/sources/{id}/interval', 401, 401, 401],
  ['DELETE /api/v1/owners/sources/{id}', 401, 401, 401],
  ['GET /api/v1/owners/closed', 401, 401, 200],
  ['DELETE /api/v1/owners/closed/{domain}', 401, 401, 404],
  ['GET /ai-changes.ndjson', 200, 200, 200],
  ['GET /aicf/{file}', 200, 200, 200],
  ['GET /.well-known/ai-changefeed', 200, 200, 200],
  ['GET /aicf/{source}/.well-known/ai-changefeed', 200, 200, 200],
  ['GET /changes.atom', 200, 200, 200],
  ['GET /changes/_archive/{file}', 404, 404, 404],
  ['GET /atom/{file}', 200, 200, 200],
  ['GET /atom/{source}/{file}', 404, 404, 404],
  ['GET /atom/{source}/_archive/{file}', 404, 404, 404],
  ['GET /atom/{source}/{collection}/_archive/{file}', 404, 404, 404],
  ['GET /diff/head.json', 200, 200, 200],
  ['GET /diff/latest.json', 200, 200, 200],
  ['GET /diff/sources.json', 200, 200, 200],
  ['GET /diff/{source}/head.json', 200, 200, 200],
  ['GET /diff/{source}/latest.json', 200, 200, 200],
  ['GET /diff/source/{source}/head.json', 200, 200, 200],
  ['GET /diff/source/{source}/latest.json', 200, 200, 200],
  ['GET /archive/{source}/{year}/{month}/{day}/{file}', 404, 404, 404],
  ['GET /.well-known/diffdelta.json', 200, 200, 200],
  ['GET /schema/v1/diff.schema.json', 200, 200, 200],
  ['GET /.well-known/did.json', 404, 404, 404],
  ['GET /.well-known/agent-feed.xml', 404, 404, 404],
  ['GET /.well-known/tidings/checkpoint', 200, 200, 200],
  ['GET /.well-known/tidings/vkey', 200, 200, 200],
  ['GET /.well-known/tidings/tile/{rest}', 404, 404, 404],
  ['GET /.well-known/tidings/checked/{entry}', 404, 404, 404],
  ['GET /.well-known/agent-card.json', 404, 404, 404],
  ['GET /api/v1/checkout', 404, 404, 404],
  ['GET /api/v1/key/claim', 404, 404, 404],
  ['GET /api/v1/key/info', 401, 401, 401],
  ['POST /api/v1/key/rotate', 401, 401, 401, {}],
  ['POST /api/v1/payments/webhook', 404, 404, 404, {}],
  ['GET /api/v1/keys', 401, 401, 200],
  ['POST /api/v1/keys', 401, 401, 400, { tier: 'gold' }],
  ['DELETE /api/v1/keys/{key}', 401, 401, 404],
  ['GET /doc', 200, 401, 200],
  ['GET /api/v1/changes', 200, 200, 200],
  ['GET /api/v1/changes/{id}/receipt', 404, 404, 404],
  ['POST /api/v1/changes/{id}/redact', 401, 401, 404, {}],
  ['GET /api/v1/archives', 200, 200, 200],
  ['POST /api/v1/archives', 401, 401, 400, {}],
  ['GET /api/v1/archives/{file}', 404, 404, 404],
  ['GET /api/v1/storage', 401, 401, 200],
  ['GET /api/v1/jobs', 200, 401, 200],
  ['GET /state/health.json', 200, 200, 200],
  ['GET /healthz', 200, 200, 200],
  ['GET /healthz.json', 200, 200, 200],
  ['GET /metrics', 200, 200, 200],
  ['GET /api/v1/endpoints', 200, 200, 200],
  ['POST /api/v1/endpoints/observations', 401, 401, 400, {}],
  ['GET /websub/{id}', 404, 404, 404],
  ['POST /websub/{id}', 404, 404, 404],
  ['GET /mcp', 405, 405, 405],
  ['DELETE /mcp', 405, 405, 405],
  ['POST /mcp', 400, 401, 400, {}],
  ['GET /events', 200, 200, 200],
  ['GET /events/{source}', 200, 200, 200],
  ['POST /hub', 415, 415, 415, {}],
  ['GET /api/v1/websub', 401, 401, 200],
  ['DELETE /api/v1/websub/{id}', 401, 401, 404],
  ['GET /api/v1/subscriptions', 401, 401, 200],
  ['POST /api/v1/subscriptions', 401, 401, 400, {}],
  ['GET /api/v1/subscriptions/{id}', 401, 401, 404],
  ['PATCH /api/v1/subscriptions/{id}', 401, 401, 404, {}],
  ['DELETE /api/v1/subscriptions/{id}', 401, 401, 404],
  ['GET /api/v1/subscriptions/{id}/deliveries', 401, 401, 404],
  ['POST /api/v1/subscriptions/{id}/test', 401, 401, 404, {}],
  ['POST /api/v1/subscriptions/{id}/replay', 401, 401, 404, {}],
  ['POST /api/v1/subscriptions/{id}/rotate', 401, 401, 404, {}],
  ['GET /api/v1/keys/usage', 401, 401, 200],
  ['GET /api/v1/keys/me/usage', 401, 401, 401],
  ['GET /api/v1/keys/{key}/usage', 401, 401, 404],
  ['GET /alerts.atom', 401, 401, 200],
  ['GET /api/v1/alerts', 401, 401, 200],
  ['GET /openapi.json', 200, 200, 200],
  ['GET /api/v1/sources', 401, 401, 200],
  ['POST /api/v1/sources', 401, 401, 400, { id: 'UPPER' }],
  ['POST /api/v1/sources/import', 401, 401, 400, { sources: 1 }],
  ['POST /api/v1/sources/test', 401, 401, 400, {}],
  ['POST /api/v1/sources/preview', 401, 401, 400, {}],
  ['GET /api/v1/sources/{id}', 401, 401, 200],
  ['GET /api/v1/sources/{id}/checks', 401, 401, 200],
  ['POST /api/v1/sources/{id}/rules', 401, 401, 409, {}],
  ['POST /api/v1/sources/{id}/pause', 401, 401, 200, {}],
  ['POST /api/v1/sources/{id}/resume', 401, 401, 200, {}],
  ['POST /api/v1/sources/{id}/check', 401, 401, 202, {}],
  ['POST /api/v1/sources/{id}/retrust', 401, 401, 400, {}],
  ['PATCH /api/v1/sources/{id}', 401, 401, 409, {}],
  ['DELETE /api/v1/sources/{id}', 401, 401, 409],
];

let folder: string;
let hub: RunningHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-access-'));
  await cp('examples/site', join(folder, 'site'), { recursive: true });
  const lantern = {
    id: 'lantern',
    kind: 'folder' as const,
    path: './site',
    site: 'https://lantern.example/',
    cleanUrls: true,
  };
  hub = await startHub({ port: 0, sources: [lantern] }, { token: TOKEN, base: folder });
});

afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

for (const [request, none, wrong, right, body] of TABLE) {
  test(`${request}: ${none} without a token, ${wrong} with a wrong one, ${right} with the right one`, async () => {
    const [method = '', pattern = ''] = request.split(' ');
    const file = pattern.startsWith('/atom') ? 'lantern.atom' : 'lantern.ndjson';
    const path = pattern.replace('{file}', file).replace(/\{(?:source|id)\}/, 'lantern');
    const query = path === '/doc' ? `?url=${PAGE}` : '';
    const ask = async (token: string | undefined) => {
      const answer = await fetch(new URL(path + query, hub.url), {
        method,
        redirect: 'manual',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await answer.body?.cancel();
      return answer.status;
    };
    expect([await ask(undefined), await ask('wrong-token-of-some-length'), await ask(TOKEN)]).toEqual([
      none,
      wrong,
      right,
    ]);
  });
}

test('the table above has every route, and no other', async () => {
  const answer = await fetch(new URL('openapi.json', hub.url));
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.sort()).toEqual(TABLE.map(([line]) => line).sort());
});

test('every form is for a line of the table', async () => {
  const answer = await fetch(new URL('openapi.json', hub.url));
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, { readonly summary: string }>> };
  const forms = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ summary }) => /^HTML form for (.*)\.$/.exec(summary)?.[1] ?? []),
  );
  const lines = forms.map((line) => line.replace(/:(\w+)/g, '{$1}'));
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.filter((line) => !TABLE.some(([known]) => known === line))).toEqual([]);
});

test('documents of other sites are for who has the token only', async () => {
  const ask = async (headers: Record<string, string>) =>
    (await fetch(new URL(`doc?url=${ELSEWHERE}`, hub.url), { headers })).status;
  expect(await ask({})).toBe(403);
  expect(await ask({ authorization: `Bearer ${TOKEN}` })).not.toBe(403);
});

test.each([
  { id: 'etc', kind: 'folder' as const, path: '/etc', site: 'https://etc.example/' },
  {
    id: 'key',
    kind: 'feed' as const,
    url: 'https://key.example/',
    dialect: 'diffdelta' as const,
    apiKeyFile: '/etc/shadow',
  },
])('who has the token names no file of this machine: %j', async (source) => {
  const answer = await fetch(new URL('api/v1/sources', hub.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(source),
  });
  expect([answer.status, (await answer.json()).detail]).toEqual([400, expect.stringContaining('The API takes none.')]);
});

/** What a private hub answers to anybody; all the rest leads to the sign-in or is 401. */
const OPEN_IN_PRIVATE =
  /^(?:GET \/healthz|(?:GET|POST) \/sign-in(?:\/\w+)?|POST \/sign-out|GET \/bot|GET \/owners|POST \/owners\/\S+|\w+ \/api\/v1\/owners\/(?:token|check|sources\/\S+)|GET \/assets\/\S+|(?:GET|POST) \/websub\/\{id\}|POST \/api\/v1\/payments\/webhook)$/;

test('a private hub answers nobody whom it does not know, on any line of the table', async () => {
  const settings = { port: 0, data: './private', access: 'private' as const };
  await using hidden = await startHub(settings, { token: TOKEN, base: folder });
  const ask = async (request: string, headers: Record<string, string> = {}) => {
    const [method = '', pattern = ''] = request.split(' ');
    const answer = await fetch(new URL(pattern.replace(/[{}]/g, ''), hidden.url), {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(method === 'POST' && { 'content-type': 'application/json' }) },
      ...(method === 'POST' && { body: '{}' }),
    });
    await answer.body?.cancel();
    return answer;
  };
  const shut = TABLE.map(([line]) => line).filter((line) => !OPEN_IN_PRIVATE.test(line));
  expect(shut.length).toBeGreaterThan(100);
  for (const line of shut) {
    for (const headers of [{}, { 'x-diffdelta-key': `dd_live_${'A'.repeat(32)}` }, { cookie: 'tidings_session_0=x' }]) {
      const { status, headers: said } = await ask(line, headers as Record<string, string>);
      const isLed = status === 303 && /^[./]+sign-in\?to=/.test(said.get('location') ?? '');
      if (!isLed) expect([line, status]).toEqual([line, 401]);
    }
  }
  const feed = await ask('GET /ai-changes.ndjson', { authorization: `Bearer ${TOKEN}` });
  expect([feed.status, feed.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^private\b/)]);
});

test('a stream of a private hub ends with the session that it was opened in', async () => {
  const settings = { port: 0, data: './private-stream', access: 'private' as const };
  await using hidden = await startHub(settings, { token: TOKEN, base: folder });
  const browser = await signedInBrowser(hidden.url, TOKEN);
  const stream = await browser.get('events');
  expect(stream.status).toBe(200);
  const ended = stream.text().catch(() => 'cut');
  expect((await browser.sendForm('sign-out')).status).toBe(303);
  expect(await ended).toBe('cut');
  expect((await browser.get('events')).status).toBe(401);
});
