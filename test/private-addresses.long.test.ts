import type { LookupAddress } from 'node:dns';
import { expect, onTestFinished, test } from 'vitest';
import type { AnnounceTargets } from '../src/announce/announce-target.ts';
import { sendAnnouncement } from '../src/announce/send.ts';
import { checkPlace } from '../src/check/check.ts';
import { createHttpSource } from '../src/check/http-source.ts';
import { AICF_DISCOVERY_PATH } from '../src/codecs/aicf/wire.ts';
import { discoverTopic } from '../src/crawl/discover-topic.ts';
import { AICF } from '../src/dialects/aicf/aicf.ts';
import { announce } from '../src/doors/announce.ts';
import { check } from '../src/doors/check.ts';
import { openExportTarget } from '../src/doors/export-target.ts';
import { follow } from '../src/doors/follow.ts';
import { startHub } from '../src/doors/hub.ts';
import { publish } from '../src/doors/publish.ts';
import { readDocument } from '../src/doors/read-document.ts';
import { AddressRefusedError, RedirectRefusedError } from '../src/errors/fetch-error.ts';
import { SignInError } from '../src/errors/sign-in-error.ts';
import { TidingsError } from '../src/errors/tidings-error.ts';
import type { HttpClient, HttpPoster } from '../src/fetch/http-client.ts';
import { userAgentOf } from '../src/fetch/user-agent.ts';
import { followSources } from '../src/follow/follow.ts';
import type { FollowedEvent } from '../src/follow/followed-event.ts';
import { MemoryFollowState } from '../src/follow/memory-follow-state.ts';
import { glanceAtSite } from '../src/hub/preview/glance-at-site.ts';
import { askHub } from '../src/hub/push/subscriber/ask-hub.ts';
import { sendWebhook } from '../src/hub/push/webhooks/send-webhook.ts';
import { askCallback, tellDenied } from '../src/hub/push/websub/ask-callback.ts';
import { deliverTopic } from '../src/hub/push/websub/deliver-topic.ts';
import type { PendingIntent } from '../src/hub/push/websub/websub-store.ts';
import { readConsent } from '../src/hub/self-service/site-consent.ts';
import { createOpenIdProvider } from '../src/io/openid/provider.ts';
import type { GuardOptions, LookupAll } from '../src/io/undici/guard-options.ts';
import { createUndiciHttpClient } from '../src/io/undici/http-client.ts';
import { gunzip } from '../src/io/zlib/gunzip.ts';
import { liveSite } from '../src/produce/live-site.ts';
import { liveSource } from '../src/produce/live-source.ts';
import { NO_PARTS } from './support/check-parts.ts';
import { startLyingIssuer } from './support/lying-issuer.ts';
import { politely } from './support/polite.ts';
import { readerParts } from './support/reader-ports.ts';
import { temporaryFolder } from './support/site.ts';
import { startSmtpServer } from './support/smtp-server.ts';
import { openWebSubLab, PATIENCE } from './support/websub-lab.ts';
import { type Answer, type OriginServer, respond, startOriginServer } from './torture/origin-server.ts';

/** Every way to write an address that is not on the public internet, as the host of a URL. */
const SPELLINGS = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.0.0.1', '0x7f.1'],
  ...['017700000001', '0177.0.0.1', '0177.1', '127.0.0.1.', '0x7F.0x0.0x0.0x1', '127.000.000.001', '１２７.０.０.１'],
  ...[
    '0',
    '0.0.0.0',
    '0x0',
    '00',
    '0.1.2.3',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
  ],
  ...['a.localhost', 'a.b.localhost.', '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:7f00:1]', '[64:ff9b::127.0.0.1]'],
  ...['[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:7f00:1::1]', '[2001:0:7f00:1::]', '[2001:0:0:0:0:0:80ff:fffe]'],
  ...['[2606:4700::5efe:7f00:1]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00::1]', '[ff02::1]', '[ff0e::1]'],
  ...[
    '[2001:db8::1]',
    '[3fff::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
  ],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '[::ffff:169.254.169.254]', '169.254.0.1'],
  ...['100.64.0.1', '100.127.255.255', '[::ffff:100.64.0.1]', '10.0.0.1', '10.1', '167772161', '012.1', '0xa.1'],
  ...['172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1', '3232235521', '[::ffff:192.168.0.1]', '192.0.0.1'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff'],
];

/** What stands for the public internet here; all else that answers below is private. */
const PUBLIC = '127.0.0.1';
const PRIVATE = '127.0.0.2';
const asIfPublic = (address: string) => address === PUBLIC;

test('no spelling of a private address is reached', async () => {
  await using everywhere = await startOriginServer((socket) => respond(socket, {}), '::');
  const { port } = new URL(everywhere.origin);
  await using guarded = openClient({ allowPrivate: false });
  for (const host of SPELLINGS) {
    for (const scheme of ['http', 'https']) {
      const asking = guarded.get({ url: new URL(`${scheme}://${host}:${port}/`), deadlineMs: 5000 });
      await expect(asking, host).rejects.toThrow(AddressRefusedError);
    }
  }
  expect(everywhere.connections).toBe(0);

  await using open = openClient({ allowPrivate: true });
  for (const host of SPELLINGS.slice(0, 3)) {
    await (await open.get({ url: new URL(`http://${host}:${port}/`) })).discard();
  }
  expect(everywhere.connections, 'the listener can be reached').toBeGreaterThan(0);
});

test.each([
  ['one private address', ['127.0.0.1']],
  ['a public one and a private one', ['93.184.216.34', '10.0.0.1']],
  ['a private one and a public one', ['::1', '93.184.216.34']],
  ['a mapped one', ['::ffff:127.0.0.1']],
  ['one of a link', ['fe80::1%lo']],
  ['the metadata service', ['169.254.169.254']],
  ['no address at all, but a text', ['not an address']],
])('a name that resolves to %s is refused', async (_, addresses) => {
  await using everywhere = await startOriginServer((socket) => respond(socket, {}), '::');
  await using client = openClient({ allowPrivate: false, lookup: resolver(() => addresses) });
  for (const name of ['docs.example', 'docs.example.', 'xn--bcher-kva.example']) {
    const asking = client.get({ url: new URL(`http://${name}:${new URL(everywhere.origin).port}/`) });
    await expect(asking, name).rejects.toThrow(AddressRefusedError);
  }
  expect(everywhere.connections).toBe(0);
});

test('a name that resolves to a private address the second time is refused the second time', async () => {
  const { open, secret, port } = await startBoth((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  let asked = 0;
  const lookup = resolver(() => [asked++ === 0 ? PUBLIC : PRIVATE]);
  await using client = openClient({ allowPrivate: false, mayReach: asIfPublic, lookup });
  const url = new URL(`http://docs.example:${port}/`);
  await (await client.get({ url })).discard();
  await expect(client.get({ url })).rejects.toThrow(AddressRefusedError);
  expect([open.connections, secret.connections, asked]).toEqual([1, 0, 2]);
});

test('an answer of the resolver that changes after it was checked leads nowhere else', async () => {
  const { open, secret, port } = await startBoth((socket) => respond(socket, {}));
  let read = 0;
  const shifting: LookupAddress = {
    family: 4,
    get address() {
      read += 1;
      return read === 1 ? PUBLIC : PRIVATE;
    },
  };
  const lookup: LookupAll = (_, __, callback) => callback(null, [shifting]);
  await using client = openClient({ allowPrivate: false, mayReach: asIfPublic, lookup });
  await (await client.get({ url: new URL(`http://docs.example:${port}/`) })).discard();
  expect([open.connections, secret.connections, read]).toEqual([1, 0, 1]);
});

test('a socket that turns out to be connected to a private address gets no request', async () => {
  await using server = await startOriginServer((socket) => respond(socket, {}));
  const checked: string[] = [];
  const mayReach = (address: string) => checked.push(address) === 1;
  await using client = openClient({ allowPrivate: false, mayReach, lookup: resolver(() => [PUBLIC]) });
  const url = new URL(`http://docs.example:${new URL(server.origin).port}/`);
  await expect(client.get({ url })).rejects.toThrow(AddressRefusedError);
  expect(checked).toEqual([PUBLIC, PUBLIC]);
  expect(server.requests).toEqual([]);
});

test.each([1, 2, 3, 4, 5])('a redirect into private space is refused at hop %i', async (hop) => {
  const { open, secret, port } = await startBoth((socket, { path }) => {
    const next = Number(path.slice(1)) + 1;
    const location = next === hop ? `http://${PRIVATE}:${port}/` : `/${next}`;
    respond(socket, { status: 302, headers: { location } });
  });
  await using client = openClient({ allowPrivate: false, mayReach: asIfPublic });
  await expect(client.get({ url: new URL('/0', open.origin) })).rejects.toThrow(AddressRefusedError);
  expect(open.requests).toHaveLength(hop);
  expect(secret.connections).toBe(0);
});

test.each([
  'file:///etc/hostname',
  'data:text/html,words',
  'ftp://127.0.0.2/',
  'gopher://127.0.0.2/',
  'javascript:1',
  'blob:http://127.0.0.2/1',
  'ws://127.0.0.2/',
  'http://user@127.0.0.1/',
  'http://user:secret@127.0.0.1/',
])('%s is read neither directly nor behind a redirect', async (location) => {
  const { open } = await startBoth((socket) => respond(socket, { status: 301, headers: { location } }));
  await using client = openClient({ allowPrivate: false, mayReach: asIfPublic });
  for (const url of [new URL(location), new URL(open.origin)]) {
    const error: Error = await client.get({ url }).then(
      () => new Error('It was read.'),
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(RedirectRefusedError);
    expect(error.message).not.toContain('secret');
  }
});

/** The ways out: each gets the address of a private server, and of a public one that leads there. */
const WAYS_OUT: Readonly<Record<string, (way: Way) => Promise<unknown>>> = {
  'follow: discovery': ({ secret, http }) => followed(http, secret),
  'follow: discovery behind a redirect': ({ open, http }) => followed(http, `${open}redirect/`),
  'follow: a feed named directly': ({ secret, http }) => followed(http, `${secret}feed.ndjson`),
  'follow: self': ({ open, http }) => followed(http, `${open}self/`),
  'follow: an archive': ({ open, http }) => followed(http, `${open}archive/`),
  'follow: page content': ({ open, http }) => followed(http, `${open}page/`),
  'follow: page content behind a redirect': ({ open, http }) => followed(http, `${open}moved/`),
  'pages: one named directly': ({ secret, http }) => politely(http).pages.read({ url: new URL(secret) }),
  'pages: one behind a redirect': ({ open, http }) => politely(http).pages.read({ url: new URL('redirected', open) }),
  'robots.txt behind a redirect': ({ other, http }) => politely(http).pages.read({ url: new URL('page', other) }),
  'publish: a live site': ({ secret, http }) => crawled(http, secret),
  'publish: a sitemap named by robots.txt': ({ open, http }) => crawled(http, open),
  'publish: --previous': ({ secret, http }) => liveSite(http, new URL(secret)).read('state'),
  'publish: --previous behind a redirect': ({ open, http }) => liveSite(http, new URL(open)).read('redirected'),
  'check: the site': ({ secret, http }) => checked(http, new URL(secret)),
  'check: the feed': ({ open, http }) => checked(http, new URL(`${open}self/`)),
  'check: an archive': ({ open, http }) => checked(http, new URL(`${open}archive/`)),
  'check: a page': ({ open, http }) => checked(http, new URL(`${open}page/`)),
  'preview: a site': ({ secret, http }) => lookedAt(http, secret),
  'preview: a site behind a redirect': ({ open, http }) => lookedAt(http, `${open}redirected`),
  'self-service: a site': ({ secret, http }) => asked(http, secret),
  'self-service: a site behind a redirect': ({ open, http }) => asked(http, `${open}redirected`),
  'websub: a hub': (way) => askedHub(way, `${way.secret}hub`),
  'websub: a hub behind a redirect': (way) => askedHub(way, `${way.open}redirected`),
  'websub: a topic': ({ secret, http }) => discoverTopic(secret, http, NEVER),
  'websub: a topic behind a redirect': ({ open, http }) => discoverTopic(`${open}redirected`, http, NEVER),
  'websub: a challenge': ({ secret, http }) =>
    askCallback(http, { pending: pendingAt(secret), challenge: 'x', signal: NEVER }),
  'websub: a denial': ({ secret, http }) => tellDenied(http, { pending: pendingAt(secret), signal: NEVER }),
  'websub: a delivery': ({ secret, http }) => delivered(http, secret),
  'websub: a hub that is asked to subscribe': ({ secret, allowPrivate }) => subscribed(secret, allowPrivate),
  'webhooks: an endpoint': ({ secret, http }) => sent(http, secret),
  'the door follow': ({ secret, allowPrivate }) => collect(follow({ url: secret, once: true, allowPrivate })),
  'the door check': ({ secret, allowPrivate }) => check(secret, { allowPrivate }),
  'the door readDocument': ({ secret, allowPrivate }) => readDocument(secret, { allowPrivate, cooldownMs: 0 }),
  'the door publish, live': ({ secret, allowPrivate }) => publishedLive(secret, allowPrivate),
  'the door announce: a hub of WebSub': ({ secret, allowPrivate }) => announced({ websub: [secret] }, allowPrivate),
  'the door announce: IndexNow': ({ secret, allowPrivate }) =>
    announced({ indexnow: secret, key: ANNOUNCE_KEY }, allowPrivate),
  'the door announce: a hub of Tidings': ({ secret, allowPrivate }) => announced({ hubs: [secret] }, allowPrivate),
  'announce: behind a redirect': ({ open, http }) => announcedBehind(http, new URL('announced', open)),
  'the door publish': ({ secret, allowPrivate }) => published(secret, allowPrivate),
  'the door export: a bucket': ({ secret, allowPrivate }) => listed(secret, allowPrivate),
};

const NEVER = new AbortController().signal;

/** What a visitor of a hub wants to be followed. */
async function asked(http: HttpClient, url: string): Promise<unknown> {
  const terms = { read: async () => ({ signals: [], uses: {} }) };
  return await readConsent(new URL(url), { pages: politely(http).pages, terms }, NEVER);
}

function askedHub({ http, allowPrivate }: Way, hub: string): Promise<unknown> {
  const question = {
    mode: 'subscribe',
    topic: 'https://docs.example/feed',
    callback: 'https://hub.example/cb',
  } as const;
  return askHub(hub, question, { poster: http, signal: NEVER, allowPrivate });
}

function pendingAt(callback: string): PendingIntent {
  return { mode: 'subscribe', topic: 'https://hub.example/a', callback, askedMs: 0, seq: 0, tries: 0, leaseSeconds: 1 };
}

function delivered(http: HttpPoster, callback: string): Promise<unknown> {
  return deliverTopic(http, {
    to: { ...pendingAt(callback), method: 'sha256', confirmedMs: 0, expiresMs: 1, deliveredSeq: 0 },
    document: { etag: '"1"', mediaType: 'text/plain', bytes: new Uint8Array(1) },
    links: { hub: 'https://hub.example/hub', self: 'https://hub.example/a' },
    signal: NEVER,
    nowMs: 0,
  });
}

async function subscribed(callback: string, allowPrivate: boolean): Promise<void> {
  using folder = temporaryFolder();
  await using lab = await openWebSubLab({ folder: folder.path, settings: { allowPrivate } });
  await lab.ask('subscribe', 'changes.atom', callback);
  await expect.poll(async () => (await lab.list()).subscriptions, PATIENCE).toEqual([]);
}

async function sent(http: HttpPoster, url: string): Promise<unknown> {
  const secrets = [{ secret: `whsec_${Buffer.alloc(32).toString('base64')}` }];
  const { signal } = new AbortController();
  const message = { url, id: 'msg_1', body: '{}', contentType: 'application/json', secrets, signal };
  return await sendWebhook(message, { http, now: Date.now });
}

function checked(http: HttpClient, url: URL): Promise<unknown> {
  return checkPlace(createHttpSource(http, url), { dialects: [AICF], parts: NO_PARTS });
}

interface Way {
  readonly open: string;
  /** A public one whose robots.txt leads there. */
  readonly other: string;
  readonly secret: string;
  readonly http: HttpClient & HttpPoster;
  readonly allowPrivate: boolean;
}

test.each(Object.entries(WAYS_OUT))('nothing private is reached by %s', async (_, leave) => {
  const { open, secret } = await startBoth((socket, { path, headers }) =>
    respond(socket, leadingThere(path, `http://${headers.host}`, secret.origin)),
  );
  await using other = await startOriginServer(
    (socket) => respond(socket, { status: 302, headers: { location: `${secret.origin}robots.txt` } }),
    PUBLIC,
  );
  const tryToLeave = async (allowPrivate: boolean) => {
    await using http = openClient({ allowPrivate, mayReach: asIfPublic });
    // What comes of it is told in the tests of each part; here only who was reached counts.
    const way = { open: open.origin, other: other.origin, secret: secret.origin, http, allowPrivate };
    await leave(way).catch((error: unknown) => expect(error).toBeInstanceOf(TidingsError));
    return secret.connections;
  };
  expect(await tryToLeave(false)).toBe(0);
  expect(await tryToLeave(true), 'it would be reached without the guard').toBeGreaterThan(0);
});

test.each(['token_endpoint', 'jwks_uri'])('no OpenID provider has a private address asked as its %s', async (field) => {
  const tryToLeave = async (allowPrivate: boolean): Promise<number> => {
    await using secret = await startOriginServer((socket) => respond(socket, { body: '{}' }), PRIVATE);
    const { issuer, said } = await startLyingIssuer({ metadata: { [field]: `${secret.origin}secret` } });
    const visit = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    said.nonce = visit.nonce;
    await using issuerHttp = openClient({ allowPrivate: true });
    await using http = openClient({ allowPrivate });
    const settings = { issuer, clientId: 'tidings', scopes: ['openid'], roleClaim: 'groups' };
    const provider = createOpenIdProvider({ ...settings, issuerHttp, http, now: Date.now });
    const finished = provider.finish(visit, new URL('https://hub.example/sign-in/callback?code=c&state=s'));
    await expect(finished).rejects.toThrow(SignInError);
    return secret.connections;
  };
  expect(await tryToLeave(false)).toBe(0);
  expect(await tryToLeave(true), 'it would be reached without the guard').toBeGreaterThan(0);
});

test('mails go to the server of the config: nothing that is sent to a hub, and nothing that it reads, names another', async () => {
  await using named = await startSmtpServer();
  await using other = await startSmtpServer();
  using folder = temporaryFolder();
  const mail = { to: 'ops@acme.example', from: 'hub@acme.example', host: PUBLIC, secure: false, intervalSeconds: 1 };
  const alerts = { holdSeconds: 0, freeMegabytes: 1_000_000_000, mail: { ...mail, port: named.port } };
  const token = 'tdg_0123456789abcdef';
  const settings = { port: 0, data: `${folder.path}/data`, allowPrivate: true, alerts };
  await using hub = await startHub(settings, { token });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const wish = { host: PRIVATE, port: other.port };
  for (const [method, path, body] of [
    ['POST', 'api/v1/alerts', { mail: wish }],
    ['PATCH', 'api/v1/alerts', { mail: wish }],
    ['POST', 'api/v1/sources', { id: 'x', kind: 'page', url: 'https://x.example/', alerts: { mail: wish } }],
  ] as const) {
    const answer = await fetch(hub.url + path, { method, headers, body: JSON.stringify(body) });
    expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
  }
  await expect.poll(() => named.mails.length, { timeout: 20_000 }).toBe(1);
  expect(other.connections).toBe(0);
});

function leadingThere(path: string, self: string, secret: string) {
  const redirect = { status: 302, headers: { location: secret } };
  const page = { id: '1', action: 'update', time: '2025-08-21T12:00:00Z' };
  const [, site = ''] = path.split('/');
  if (path === `/${site}${AICF_DISCOVERY_PATH}`) {
    if (site === 'redirect') return redirect;
    const feed = site === 'self' ? `${secret}feed.ndjson` : `${self}/${site}/feed.ndjson`;
    const archives = site === 'archive' ? [`${secret}old.ndjson`] : [];
    return { body: JSON.stringify({ aicf_version: '0.1', self: feed, archives }) };
  }
  if (path === '/robots.txt') return { body: `Sitemap: ${secret}sitemap.xml` };
  if (path === '/announced') return { status: 307, headers: { location: secret } };
  if (path === '/moved/secret' || path === '/redirected') return redirect;
  if (!path.endsWith('/feed.ndjson')) return { status: 404 };
  const url = site === 'moved' ? `${self}/moved/secret` : `${secret}page`;
  return { body: `${JSON.stringify({ ...page, url })}\n` };
}

function followed(http: HttpClient, url: string): Promise<FollowedEvent[]> {
  const ports = {
    ...politely(http),
    ...readerParts(),
    state: new MemoryFollowState(),
    now: Date.now,
    wait: async () => {},
  };
  const ears = { signal: new AbortController().signal, onDiagnostic: () => {}, onStatus: () => {} };
  const request = { urls: [url], once: true, content: true, minIntervalMs: 2000 };
  return collect(followSources(request, { ...ports, ...ears }));
}

async function crawled(http: HttpClient, base: string): Promise<unknown> {
  const { client, pages } = politely(http);
  const source = liveSource({ base: new URL(base), client, pages, gunzip });
  return await source.compare({ pages: new Map() }, { site: new URL('https://docs.example/') });
}

function lookedAt(http: HttpClient, address: string): Promise<unknown> {
  const dialects = [AICF];
  const usageOf = async () => ({ said: [], licenses: [] });
  const ports = { ...politely(http), dialects, gunzip, usageOf, mayFetch: async () => true, now: Date.now };
  return glanceAtSite(new URL(address), { ...ports, signal: NEVER, isOnePage: false });
}

async function publishedLive(url: string, allowPrivate: boolean): Promise<unknown> {
  using out = temporaryFolder();
  return await publish({ url, out: out.path, site: 'https://docs.example/', allowPrivate, cooldownMs: 0 });
}

async function published(previous: string, allowPrivate: boolean): Promise<unknown> {
  using site = temporaryFolder();
  site.write({ 'index.html': '<!doctype html><title>Docs</title><main><h1>Docs</h1><p>Words.</p></main>' });
  return await publish({ dir: site.path, site: 'https://docs.example/', previous, allowPrivate });
}

async function listed(endpoint: string, allowPrivate: boolean): Promise<unknown> {
  const credentials = { accessKeyId: 'anybody', secretAccessKey: 'anything' };
  await using place = await openExportTarget('s3://feeds/hub', { endpoint, allowPrivate, credentials });
  return await place.target.list();
}

const ANNOUNCE_KEY = '7c9e2b41f0a34d5e';

async function announced(targets: AnnounceTargets, allowPrivate: boolean): Promise<unknown> {
  using site = temporaryFolder();
  site.write({ 'index.html': '<!doctype html><title>Docs</title><main><h1>Docs</h1><p>Words.</p></main>' });
  site.write({ [`${ANNOUNCE_KEY}.txt`]: ANNOUNCE_KEY });
  await publish({ dir: site.path, site: 'https://docs.example/' });
  return await announce({ dir: site.path, allowPrivate, ...targets });
}

async function announcedBehind(http: HttpClient & HttpPoster, url: URL): Promise<unknown> {
  const { signal } = new AbortController();
  const announcement = { body: 'hub.mode=publish', contentType: 'text/plain', urls: [] };
  return await sendAnnouncement(url, announcement, { http, signal, now: Date.now, wait: async () => {} });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function openClient(options: GuardOptions): HttpClient & HttpPoster {
  return createUndiciHttpClient({ userAgent: userAgentOf(), ...options });
}

function resolver(answer: (hostname: string) => readonly string[]): LookupAll {
  return (hostname, _, callback) =>
    callback(
      null,
      answer(hostname).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

/** The same port on the address that stands for the public internet, and on one that does not. */
async function startBoth(answer: Answer): Promise<{ open: OriginServer; secret: OriginServer; port: number }> {
  const open = await startOriginServer(answer, PUBLIC);
  onTestFinished(() => open[Symbol.asyncDispose]());
  const port = Number(new URL(open.origin).port);
  const secret = await startOriginServer((socket) => respond(socket, { body: 'secret' }), PRIVATE, port);
  onTestFinished(() => secret[Symbol.asyncDispose]());
  return { open, secret, port };
}
