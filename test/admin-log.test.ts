import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { CookieBrowser, signedInBrowser } from './support/cookie-browser.ts';

const TOKEN = 'test-token-of-the-admin-log';
let folder: string;
let hub: RunningHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-admin-log-'));
  hub = await startHub({ port: 0, data: join(folder, 'data') }, { token: TOKEN });
});

afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

async function api(line: string, body?: object) {
  const [method = '', path = ''] = line.split(' ');
  return fetch(new URL(path, hub.url), {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function logged(query = '') {
  return (await (await api(`GET /api/v1/admin/log${query}`)).json()) as {
    actions: { id: number; who: string; action: string; on: object; from: string; status?: number }[];
    next?: number;
  };
}

test('what is done with the token is written down once, with what the path names and without what was sent', async () => {
  const source = { id: 'docs', kind: 'site', url: 'https://docs.invalid/secret-path' };
  await api('POST /api/v1/sources', source);
  await api('POST /api/v1/sources/docs/pause', {});
  await api('GET /api/v1/sources/docs');
  await api('DELETE /api/v1/sources/nothing');
  await api(`DELETE /api/v1/keys/dd_live_${'a'.repeat(32)}`);
  const { actions } = await logged();
  expect(actions.map(({ who, action, on, from, status }) => [who, action, on, from, status])).toEqual([
    ['token', 'DELETE /api/v1/keys/:key', { key: 'dd_live_aaaa…' }, '127.0.0.1', 404],
    ['token', 'DELETE /api/v1/sources/:id', { id: 'nothing' }, '127.0.0.1', 404],
    ['token', 'POST /api/v1/sources/:id/pause', { id: 'docs' }, '127.0.0.1', 200],
    ['token', 'POST /api/v1/sources', { id: 'docs' }, '127.0.0.1', 201],
  ]);
  expect(JSON.stringify(actions)).not.toContain('secret-path');
});

test('signing in and out, wrong tokens, and forms by the name of who sent them; page by page', async () => {
  const browser = new CookieBrowser(hub.url);
  await browser.signIn('wrong');
  await browser.signIn(TOKEN);
  const other = await signedInBrowser(hub.url, TOKEN);
  const page = await (await browser.get('admin')).text();
  expect(page).toContain('POST /api/v1/sources/:id/pause');
  const ids = [...page.matchAll(/admin\/sessions\/(\w+)\/end/g)].map(([, id = '']) => id);
  expect(ids).toHaveLength(2);
  const ended = await browser.sendForm(`admin/sessions/${ids[0]}/end`);
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '../../../admin?done=admin-sessions-end']);
  expect(await (await other.get('')).text()).not.toContain('Sign out');
  await browser.sendForm('sign-out');

  const names = [];
  let before = '';
  for (let at = 0; at < 5; at++) {
    const { actions, next } = await logged(`?limit=1${before}`);
    names.push(...actions.map(({ who, action }) => `${who}: ${action}`));
    before = `&before=${next}`;
  }
  expect(names).toEqual([
    'admin token: sign-out',
    'admin token: DELETE /api/v1/admin/sessions/:id',
    'admin token: sign-in',
    'admin token: sign-in',
    'unknown: sign-in refused',
  ]);
});

test('a button that another site presses does nothing', async () => {
  const [ann, bob] = [await signedInBrowser(hub.url, TOKEN), await signedInBrowser(hub.url, TOKEN)];
  const own = await ann.formToken('admin');
  const foreign = await bob.formToken('admin');
  const press = async (form_token: string, headers: Record<string, string | undefined>) => {
    const sent = Object.entries({ cookie: ann.cookie, ...headers }).filter(([, value]) => value !== undefined);
    return fetch(new URL('admin/sessions/end', hub.url), {
      method: 'POST',
      redirect: 'manual',
      headers: Object.fromEntries(sent) as Record<string, string>,
      body: new URLSearchParams({ form_token }),
    });
  };
  for (const [token, headers] of [
    [own, { 'sec-fetch-site': 'cross-site' }],
    [own, { 'sec-fetch-site': 'same-site' }],
    [own, { origin: 'https://evil.example' }],
    [own, { origin: 'null' }],
    [own, { origin: hub.url.slice(0, -1), cookie: bob.cookie }],
    [own, { cookie: undefined }],
    ['', {}],
    [foreign, { 'sec-fetch-site': 'same-origin' }],
  ] as const) {
    expect((await press(token, headers)).status).toBe(403);
  }
  for (const method of ['GET', 'HEAD']) {
    const url = new URL(`admin/sessions/end?form_token=${own}`, hub.url);
    expect((await fetch(url, { method, headers: { cookie: ann.cookie } })).status).toBe(405);
  }
  expect((await ann.get('admin')).status).toBe(200);
  expect((await press(own, { origin: hub.url.slice(0, -1) })).status).toBe(303);
});

test('signing out everywhere ends all sessions', async () => {
  const [one, two] = [await signedInBrowser(hub.url, TOKEN), await signedInBrowser(hub.url, TOKEN)];
  expect((await one.sendForm('admin/sessions/end')).status).toBe(303);
  for (const browser of [one, two]) expect(await (await browser.get('')).text()).not.toContain('Sign out');
  expect((await (await api('GET /api/v1/admin/sessions')).json()).sessions).toEqual([]);
});

test('who may not see the log is led to the sign-in', async () => {
  const answer = await new CookieBrowser(hub.url).get('admin');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, './sign-in?to=admin']);
});
