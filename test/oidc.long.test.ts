import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HubSettings, type RunningHub, startHub } from '../src/doors/hub.ts';
import { CookieBrowser } from './support/cookie-browser.ts';
import { CLIENT_SECRET, startTeamProvider, type TeamProvider } from './support/team-provider.ts';

const TOKEN = 'test-token-of-the-team-hub';
const MEMBERS: Record<string, Record<string, unknown>> = {
  ann: { preferred_username: 'ann', groups: ['ops', 'staff'] },
  bob: { preferred_username: 'bob', groups: ['staff'] },
  eve: { preferred_username: 'eve', groups: ['guests'] },
  odd: { preferred_username: '<script>alert(1)</script>\u202egnp', groups: ['staff'] },
  long: { preferred_username: 'x'.repeat(100_000), groups: Array.from({ length: 2000 }, (_, at) => `g${at}`) },
  token: { preferred_username: 'token', groups: 'editors' },
};

let folder: string;
let provider: TeamProvider;
let hub: RunningHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-oidc-'));
  provider = await startTeamProvider(MEMBERS);
  hub = await startHub({ port: 0, data: join(folder, 'data'), signIn: { oidc: provider.settings } } as HubSettings, {
    token: TOKEN,
    oidcSecret: CLIENT_SECRET,
  });
  provider.serve(`${hub.url}sign-in/callback`);
});

afterAll(async () => {
  await hub.close();
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The address to which the provider sends who signs in there. */
async function comingBack(browser: CookieBrowser, login: string, to = ''): Promise<string> {
  const begun = await browser.get(`sign-in/oidc?to=${encodeURIComponent(to)}`);
  expect(begun.status).toBe(303);
  return provider.signIn(begun.headers.get('location') ?? '', login);
}

async function signIn(login: string, to = ''): Promise<{ browser: CookieBrowser; answer: Response }> {
  const browser = new CookieBrowser(hub.url);
  const answer = await browser.get(await comingBack(browser, login, to));
  return { browser, answer };
}

const accountOf = async (browser: CookieBrowser) =>
  /<form class="account".*?<\/form>/s.exec(await (await browser.get('')).text())?.[0] ?? '';

test('the page offers the provider by its name', async () => {
  const html = await (await new CookieBrowser(hub.url).get('sign-in?to=sources')).text();
  expect(html).toContain('Sign in with Acme');
  expect(html).toContain('href="./sign-in/oidc?to=sources"');
});

test('who signs in at the provider comes back with the role of its groups', async () => {
  const { browser, answer } = await signIn('ann', 'sources?page=2');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '../sources?page=2']);
  expect(answer.headers.get('set-cookie')).toMatch(/^tidings_session_\w+=[\w-]{43}; .*HttpOnly; SameSite=Lax$/);
  expect(await accountOf(browser)).toContain(`ann @ ${new URL(provider.issuer).host}`);
  expect((await browser.get('admin')).status).toBe(200);

  const reader = (await signIn('bob')).browser;
  expect(await accountOf(reader)).toContain('(read)');
  expect((await reader.get('admin')).status).toBe(403);
  expect((await reader.sendForm('admin/sessions/end')).status).toBe(403);
});

test('a name is text from outside, and nobody takes that of the token', async () => {
  const odd = await accountOf((await signIn('odd')).browser);
  expect(odd).toContain('&lt;script&gt;');
  expect(odd).not.toMatch(/<script|\u202e/);
  const like = await accountOf((await signIn('token')).browser);
  expect(like).toContain('token @ 127.0.0.1');
  expect(like).toContain('(operate)');
});

test.each(['eve', 'long'])('who has no role is told so and is not signed in: %s', async (login) => {
  const { browser, answer } = await signIn(login);
  expect(answer.status).toBe(403);
  const html = await answer.text();
  expect(html).toContain('no role of this hub is yours');
  expect(html.length).toBeLessThan(10_000);
  expect(await accountOf(browser)).toBe('');
});

test('who lost a role at the provider has it no more in another browser', async () => {
  MEMBERS.mia = { preferred_username: 'mia', groups: ['ops'] };
  const first = (await signIn('mia')).browser;
  expect(await accountOf(first)).toContain('(admin)');
  MEMBERS.mia = { preferred_username: 'mia', groups: ['staff'] };
  const second = (await signIn('mia')).browser;
  expect(await accountOf(second)).toContain('(read)');
  expect(await accountOf(first)).toBe('');
  MEMBERS.mia = { preferred_username: 'mia', groups: [] };
  await signIn('mia');
  expect(await accountOf(second)).toBe('');
});

test('an answer is taken once, in the browser that began, with its own state', async () => {
  const browser = new CookieBrowser(hub.url);
  const back = await comingBack(browser, 'ann');
  const stranger = new CookieBrowser(hub.url);
  expect((await stranger.get(back)).status).toBe(403);
  await stranger.get('sign-in/oidc');
  expect((await stranger.get(back)).status).toBe(403);
  expect((await browser.get(back.replace(/state=[^&]+/, 'state=other'))).status).toBe(403);
  expect((await fetch(back, { method: 'HEAD', headers: { cookie: browser.cookie } })).status).toBe(405);
  expect((await browser.get(back)).status).toBe(303);
  const again = await browser.get(back);
  expect([again.status, await again.text()]).toEqual([403, expect.stringContaining('You are not signed in')]);
});

test('who changes their mind at the provider, and codes that are none, are told so', async () => {
  const begin = async () => {
    const browser = new CookieBrowser(hub.url);
    const begun = await browser.get('sign-in/oidc');
    return { browser, state: new URL(begun.headers.get('location') ?? '').searchParams.get('state') };
  };
  const iss = encodeURIComponent(provider.issuer);
  const one = await begin();
  const denied = await one.browser.get(`sign-in/callback?error=access_denied&state=${one.state}&iss=${iss}`);
  expect([denied.status, await denied.text()]).toEqual([403, expect.stringContaining('access_denied')]);
  const two = await begin();
  const forged = await two.browser.get(`sign-in/callback?code=forged&state=${two.state}&iss=${iss}`);
  expect([forged.status, await forged.text()]).toEqual([403, expect.stringContaining('used before, or has expired')]);
  const three = await begin();
  const other = await three.browser.get(`sign-in/callback?code=x&state=${three.state}&iss=https%3A%2F%2Fevil.example`);
  expect([other.status, await other.text()]).toEqual([502, expect.stringContaining('not from the provider')]);
});

test('a provider that is down is said on a page, and asked again later', async () => {
  const other = await startTeamProvider(MEMBERS);
  const settings = { port: 0, data: join(folder, 'down'), signIn: { oidc: other.settings } };
  const waiting = await startHub(settings as HubSettings, { token: TOKEN, oidcSecret: CLIENT_SECRET });
  try {
    const browser = new CookieBrowser(waiting.url);
    const down = await browser.get('sign-in/oidc');
    expect([down.status, await down.text()]).toEqual([502, expect.stringContaining('cannot be reached')]);
    other.serve(`${waiting.url}sign-in/callback`);
    expect((await browser.get('sign-in/oidc')).status).toBe(303);
  } finally {
    await waiting.close();
    await other[Symbol.asyncDispose]();
  }
});

test('sessions of the provider outlive a restart while their group has a role', async () => {
  const team = await startTeamProvider(MEMBERS);
  const settings = (roles: object) => ({
    port: 0,
    data: join(folder, 'again'),
    signIn: { oidc: { ...team.settings, roles } },
  });
  const options = { token: TOKEN, oidcSecret: CLIENT_SECRET };
  let running = await startHub(settings({ admin: ['ops'] }) as HubSettings, options);
  team.serve(`${running.url}sign-in/callback`);
  const browser = new CookieBrowser(running.url);
  const begun = await browser.get('sign-in/oidc');
  await browser.get(await team.signIn(begun.headers.get('location') ?? '', 'ann'));
  for (const [roles, word] of [
    [{ admin: ['ops'] }, '(admin)'],
    [{ read: ['ops'] }, '(read)'],
    [{ read: ['others'] }, undefined],
    [{ admin: ['ops'] }, undefined],
  ] as const) {
    await running.close();
    running = await startHub(settings(roles) as HubSettings, options);
    const html = await (await fetch(running.url, { headers: { cookie: browser.cookie } })).text();
    expect(/\((?:admin|operate|read)\)/.exec(html)?.[0]).toBe(word);
  }
  await running.close();
  await team[Symbol.asyncDispose]();
});
