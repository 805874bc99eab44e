import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { CookieBrowser, signedInBrowser } from './support/cookie-browser.ts';

const TOKEN = 'test-token-of-the-sign-in';
let folder: string;
let hub: RunningHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-sign-in-'));
  hub = await startHub({ port: 0, data: join(folder, 'data') }, { token: TOKEN });
});

afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

const isSignedIn = async (browser: CookieBrowser) => (await (await browser.get('')).text()).includes('Sign out');

test('who gives the token is signed in, comes to the page that was wanted, and signs out', async () => {
  const browser = new CookieBrowser(hub.url);
  expect(await isSignedIn(browser)).toBe(false);
  const answer = await browser.signIn(TOKEN, 'sources?page=2');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, './sources?page=2']);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^tidings_session_\w+=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
  );
  expect(await isSignedIn(browser)).toBe(true);

  const stolen = browser.cookie;
  const out = await browser.sendForm('sign-out');
  expect([out.status, out.headers.get('location')]).toEqual([303, './?done=signed-out']);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await (await browser.get('', { cookie: stolen })).text()).not.toContain('Sign out');
  expect(await (await browser.get('?done=signed-out')).text()).toContain('You are signed out.');
});

test('what is for who signed in is kept nowhere, and no page stands in a frame', async () => {
  const browser = await signedInBrowser(hub.url, TOKEN);
  const { headers } = await browser.get('');
  expect(headers.get('cache-control')).toContain('no-store');
  expect(headers.get('vary')).toContain('cookie');
  for (const path of ['', 'sign-in']) {
    expect((await browser.get(path)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

test('a wrong token is said, and opens nothing', async () => {
  const browser = new CookieBrowser(hub.url);
  const answer = await browser.signIn(`${TOKEN}x`, '//evil.example/');
  expect(answer.status).toBe(403);
  const html = await answer.text();
  expect(html).toContain('This is not the hub’s token.');
  expect(html).not.toContain('evil');
  expect(html).not.toContain(TOKEN);
  expect(await isSignedIn(browser)).toBe(false);
});

test.each([
  ['another site says so', { 'sec-fetch-site': 'cross-site' }],
  ['another host of the domain says so', { 'sec-fetch-site': 'same-site' }],
  ['an old browser names another origin', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
  ['an old browser names none', { 'sec-fetch-site': undefined, origin: 'null' }],
])('no other site signs a browser in or out: %s', async (_how, given) => {
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const send = async (browser: CookieBrowser, path: string, fields: Record<string, string>) => {
    const sent = { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const body = new URLSearchParams(fields).toString();
    return fetch(new URL(path, hub.url), { method: 'POST', redirect: 'manual', headers: sent, body });
  };
  const stranger = new CookieBrowser(hub.url);
  const formToken = await stranger.formToken('sign-in');
  const signIn = await send(stranger, 'sign-in', { form_token: formToken, token: TOKEN });
  expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);

  const browser = await signedInBrowser(hub.url, TOKEN);
  const signOut = await send(browser, 'sign-out', { form_token: await browser.formToken('') });
  expect(signOut.status).toBe(403);
  expect(await isSignedIn(browser)).toBe(true);
});

test('a form without its token, or with that of another browser or session, does nothing', async () => {
  const one = new CookieBrowser(hub.url);
  const other = new CookieBrowser(hub.url);
  const foreign = await other.formToken('sign-in');
  await one.formToken('sign-in');
  for (const form_token of ['', 'x', foreign]) {
    expect((await one.post('sign-in', { form_token, token: TOKEN })).status).toBe(403);
  }
  const [ann, bob] = [await signedInBrowser(hub.url, TOKEN), await signedInBrowser(hub.url, TOKEN)];
  for (const form_token of ['', 'x', await bob.formToken('')]) {
    expect((await ann.post('sign-out', { form_token })).status).toBe(403);
  }
  expect(await isSignedIn(ann)).toBe(true);
});

test('a session that was there before does not become another one’s: who signs in gets a new one', async () => {
  const browser = await signedInBrowser(hub.url, TOKEN);
  const before = browser.cookie;
  expect((await browser.signIn(TOKEN)).status).toBe(303);
  expect(browser.cookie).not.toBe(before);
  expect(await (await browser.get('', { cookie: before })).text()).not.toContain('Sign out');

  const planted = `${/tidings_session_\w+/.exec(before)?.[0]}=${'A'.repeat(43)}`;
  const answer = await fetch(new URL('sign-in', hub.url), { headers: { cookie: planted } });
  expect(await answer.text()).not.toContain('Sign out');
});

test('GET and HEAD sign nobody in or out', async () => {
  const browser = await signedInBrowser(hub.url, TOKEN);
  const formToken = await browser.formToken('');
  for (const method of ['GET', 'HEAD']) {
    const url = new URL(`sign-out?form_token=${formToken}`, hub.url);
    expect((await fetch(url, { method, headers: { cookie: browser.cookie } })).status).toBe(405);
  }
  expect(await isSignedIn(browser)).toBe(true);
});

test('who tries again and again is slowed; others are not', async () => {
  const lan = await startHub({ port: 0, data: join(folder, 'slowed'), trustProxies: ['127.0.0.1'] }, { token: TOKEN });
  try {
    const tryFrom = async (address: string, token: string) => {
      const browser = new CookieBrowser(lan.url);
      const form_token = await browser.formToken('sign-in');
      return browser.post('sign-in', { form_token, token }, { 'x-forwarded-for': address });
    };
    for (let at = 0; at < 10; at++) expect((await tryFrom('192.0.2.1', 'wrong')).status).toBe(403);
    const slowed = await tryFrom('192.0.2.1', TOKEN);
    expect([slowed.status, Number(slowed.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await tryFrom('192.0.2.2', TOKEN)).status).toBe(303);
  } finally {
    await lan.close();
  }
});

test('sessions outlive a restart; not one with another token', async () => {
  const settings = { port: 0, data: join(folder, 'restarted') };
  let other = await startHub(settings, { token: TOKEN });
  const { cookie } = await signedInBrowser(other.url, TOKEN);
  const looks = async () => {
    const html = await (await fetch(other.url, { headers: { cookie } })).text();
    return html.includes('Sign out');
  };
  for (const [token, isKnown] of [
    [TOKEN, true],
    [`${TOKEN}-2`, false],
    [TOKEN, false],
  ] as const) {
    await other.close();
    other = await startHub(settings, { token });
    expect(await looks()).toBe(isKnown);
  }
  await other.close();
});

test('below a path behind a proxy the cookie is for that path, and of that hub', async () => {
  const baseUrl = 'https://acme.example/tidings/';
  const below = await startHub({ port: 0, data: join(folder, 'below'), baseUrl }, { token: TOKEN });
  try {
    const browser = new CookieBrowser(below.url);
    const set = (await browser.signIn(TOKEN)).headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^__Secure-tidings_session_\w+=[^;]+; Path=\/tidings\/; .*HttpOnly; SameSite=Lax; Secure$/);
    expect(await isSignedIn(browser)).toBe(true);
    const elsewhere = await fetch(hub.url, { headers: { cookie: browser.cookie } });
    expect(await elsewhere.text()).not.toContain('Sign out');
  } finally {
    await below.close();
  }
});
