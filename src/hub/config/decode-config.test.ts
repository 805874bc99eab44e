import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { matchesSchema } from '../../../test/support/json-schema.ts';
import { decodeHubConfig } from './decode-config.ts';
import { DEFAULT_STREAMS } from './stream-settings.ts';

const CONTEXT = { base: '/srv/config', archived: ['atom', 'diffdelta'] };

const EXAMPLE = {
  baseUrl: 'https://hub.example/',
  port: 8080,
  data: './data',
  allowPrivate: false,
  sources: [
    { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/' },
    {
      id: 'live',
      kind: 'site',
      url: 'https://live.example/',
      intervalSeconds: 300,
      fallbacks: ['https://mirror.example/'],
    },
    { id: 'acme', kind: 'feed', url: 'https://acme.example/', dialect: 'aicf' },
  ],
};

const EVERYTHING = {
  $schema: './schema.json',
  site: 'https://docs.example/',
  botAuth: { key: '/srv/bot-key.json', sign: 'challenged', signatureAgent: 'bare' },
  botUrl: 'https://docs.example/bot',
  contact: 'crawler@docs.example',
  cooldownMs: 2000,
  cache: './cache',
  ca: './ca.pem',
  allowPrivate: true,
  allowUnsandboxedBrowser: true,
  baseUrl: 'https://hub.example/tidings/',
  host: '::',
  port: 0,
  data: '/var/lib/tidings',
  database: 'postgres://tidings@db.example/hub',
  leaseSeconds: 10,
  sources: [
    { id: 'a', kind: 'page', url: 'https://a.example/x', intervalSeconds: 1, title: 'A', include: ['/x'] },
    { id: 'b', kind: 'pages', urls: ['https://b.example/x'], exclude: ['*.pdf$'], fallbacks: ['https://c.example/x'] },
    { id: 'c', kind: 'site', url: 'http://127.0.0.1:8000/', maxPages: 10, ignore: ['/x/**', '.ad'], only: ['main'] },
    { id: 'd', kind: 'folder', path: 'site', site: 'https://d.example/', cleanUrls: true },
    { id: 'e', kind: 'feed', url: 'https://e.example/', apiKeyFile: './e.key', tags: ['a', 'b'], ignore: ['/x'] },
  ],
  subscriptions: [
    { name: 'search', url: 'https://app.example/hooks', filter: { source: 'docs' }, secretFile: './search.secret' },
  ],
  concurrency: 4,
  trustProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
  hosts: ['feeds.example'],
  honestyPages: 5,
  webhooks: { perKey: 3, firstRetryMs: 1000 },
  connectionsPerClient: 100,
  streams: { most: 5000, perClient: 10, perKey: 0, waitingBytes: 65_536, waitingBytesInAll: 1e8, heartbeatSeconds: 20 },
  ttlSeconds: 60,
  license: 'CC BY 4.0',
  about: 'https://hub.example/about',
  snapshotDays: 0,
  retention: { checks: { days: 30 }, log: { bytes: 1e9 }, archives: { atom: { days: 90 }, diffdelta: { bytes: 1e9 } } },
  extensions: {
    chunkHints: { embedRef: 'https://v.example/{chunk_id}.json' },
    billingHints: { plan: 'free', unit: 'bytes' },
  },
  limits: { perMinute: { free: 10, pro: 20, enterprise: 30 } },
  apiKeys: { provider: 'stripe', price: 'price_1', tier: 'enterprise', apiUrl: 'http://127.0.0.1:1/' },
  keySources: { most: 5, minIntervalSeconds: 600, maxPages: 10 },
  selfService: { enabled: true, perDay: 5, perClient: 1, most: 9, everyMinutes: 60 },
  alerts: {
    holdSeconds: 5,
    easeSeconds: 10,
    failedChecks: 2,
    lagSeconds: 60,
    diskDays: 3,
    freeMegabytes: 100,
    mail: {
      to: ['ops@acme.example'],
      from: 'hub@acme.example',
      host: 'mail.acme.example',
      port: 465,
      secure: true,
      user: 'hub',
      passwordFile: '/srv/config/password',
      intervalSeconds: 60,
    },
  },
  risk: { rules: { secrecy: 0.5 } },
  signIn: {
    hours: 8,
    idleMinutes: 30,
    oidc: {
      issuer: 'https://login.acme.example/realm',
      clientId: 'tidings',
      scopes: ['openid', 'profile'],
      roleClaim: 'realm_access.roles',
      roles: { admin: ['ops'], operate: ['editors'], read: ['*'] },
      name: 'Acme',
      allowPrivate: true,
    },
  },
  access: 'private',
  websubHub: {
    enabled: true,
    successor: 'https://other.example/hub',
    subscriptions: 10,
    subscriptionsPerHost: 5,
    requestsPerMinute: 30,
    documentBytes: 1_000_000,
  },
  ignore: ['/log/**', 'nav > .ad'],
  only: ['main'],
  title: 'Docs',
  author: 'Ann',
  collections: [{ path: '/my-shrine/', title: 'My shrine', author: 'Ann', describedby: 'https://docs.example/me' }],
  listEntries: 1000,
  listBytes: 1_000_000,
  sitemap: true,
  changesPage: false,
  atomEntries: 20,
  websub: 'https://push.example/',
  websubSubscriber: { enabled: true, restFactor: 3 },
  dumps: true,
  logKey: '/srv/log-key.json',
  witnesses: ['witness.example/w1+20324abe+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X@https://witness.example/'],
  excerpts: false,
  digests: false,
  surface: { dir: '/srv/surface', site: 'https://hub.example/', key: '/srv/key.json' },
};

const schema: unknown = JSON.parse(readFileSync('schema/tidings.config.schema.json', 'utf8'));

test('nothing but defaults', () => {
  expect(decodeHubConfig({}, CONTEXT)).toEqual({
    host: '127.0.0.1',
    port: 8080,
    data: '/srv/config/data',
    allowPrivate: false,
    sources: [],
    concurrency: 16,
    trustProxies: [],
    streams: DEFAULT_STREAMS,
    retention: {},
    extensions: {},
    limits: { free: 60, pro: 1000, enterprise: 5000 },
    apiKeys: { provider: 'none' },
    keySources: { most: 20, minIntervalSeconds: 300, maxPages: 1000 },
    selfService: { enabled: false, perDay: 50, perClient: 3, most: 200, everyMinutes: 720 },
    alerts: {
      holdSeconds: 60,
      easeSeconds: 300,
      failedChecks: 3,
      lagSeconds: 900,
      diskDays: 7,
      freeMegabytes: 500,
    },
    risk: { rules: {} },
    signIn: { hours: 12, idleMinutes: 120 },
    access: 'public',
  });
});

test('a config with three sources', () => {
  const [, live, acme] = EXAMPLE.sources;
  expect(decodeHubConfig(EXAMPLE, CONTEXT)).toMatchObject({
    baseUrl: 'https://hub.example/',
    data: '/srv/config/data',
    sources: [{ id: 'docs', kind: 'folder', path: '/srv/config/site', site: 'https://docs.example/' }, live, acme],
  });
});

test('every key, with those of other verbs left out', () => {
  const config = decodeHubConfig(EVERYTHING, CONTEXT);
  const {
    sources,
    subscriptions: _,
    $schema,
    site,
    cache,
    allowUnsandboxedBrowser,
    limits,
    snapshotDays,
    ...rest
  } = EVERYTHING;
  expect(config).toMatchObject({ ...rest, limits: limits.perMinute, ca: '/srv/config/ca.pem' });
  expect(config.retention).toEqual({ snapshots: { days: snapshotDays }, ...rest.retention });
  expect(config.sources.map(({ kind }) => kind)).toEqual(['page', 'page', 'site', 'folder', 'feed']);
  expect(Object.keys(config)).not.toEqual(expect.arrayContaining(['site', 'cache', '$schema']));
});

test('subscriptions: known by their names, else by their addresses, with their secrets in files', () => {
  const subscriptions = (value: unknown) => decodeHubConfig({ subscriptions: value }, CONTEXT).subscriptions;
  const url = 'https://app.example/hooks';
  expect(subscriptions(EVERYTHING.subscriptions)).toEqual([
    { name: 'search', secretFile: '/srv/config/search.secret', wish: { url, filter: { source: 'docs' } } },
  ]);
  expect(subscriptions([{ url }])).toEqual([{ name: url, wish: { url } }]);
  expect(() => subscriptions([{ url, secret: 'whsec_AAAA' }])).toThrow(/secretFile/);
  expect(() => subscriptions([{ url, secret: 'whsec_AAAA' }])).not.toThrow(/AAAA/);
});

test('chunk hints can be on without vectors, or off', () => {
  const extensions = (chunkHints: unknown) => decodeHubConfig({ extensions: { chunkHints } }, CONTEXT).extensions;
  expect(extensions(true)).toEqual({ chunkHints: {} });
  expect(extensions(false)).toEqual({});
});

test('limits: a number is for those without a key, and who has one never gets less', () => {
  const limits = (perMinute: unknown) => decodeHubConfig({ limits: { perMinute } }, CONTEXT).limits;
  expect(limits(5)).toEqual({ free: 5, pro: 1000, enterprise: 5000 });
  expect(limits(100_000)).toEqual({ free: 100_000, pro: 100_000, enterprise: 100_000 });
  expect(limits({ pro: 7000 })).toEqual({ free: 60, pro: 7000, enterprise: 7000 });
  expect(limits({ free: 3, pro: 3, enterprise: 3 })).toEqual({ free: 3, pro: 3, enterprise: 3 });
  expect(decodeHubConfig({ limits: {} }, CONTEXT).limits.free).toBe(60);
});

test('keys: what a provider needs, with its defaults', () => {
  const apiKeys = (value: unknown) => decodeHubConfig({ apiKeys: value }, CONTEXT).apiKeys;
  expect(apiKeys({})).toEqual({ provider: 'none' });
  expect(apiKeys({ provider: 'builtin' })).toEqual({ provider: 'builtin', tier: 'pro' });
  expect(apiKeys({ provider: 'stripe', price: 'price_1' })).toEqual({
    provider: 'stripe',
    price: 'price_1',
    tier: 'pro',
    apiUrl: 'https://api.stripe.com/',
  });
});

test('rules of risk are known by name', () => {
  const rules = (value: unknown) => decodeHubConfig({ risk: { rules: value } }, CONTEXT).risk.rules;
  expect(rules({ secrecy: 0, 'role-tags': 1 })).toEqual({ secrecy: 0, 'role-tags': 1 });
  expect(() => rules({ secresy: 1 })).toThrow('risk.rules "secresy" is refused. Did you mean secrecy?');
  expect(() => rules(JSON.parse('{"__proto__":1}'))).toThrow('risk.rules "__proto__" is refused');
});

test('the surface of the hub is a folder, and paths in it begin beside the file', () => {
  const surface = (value: unknown) => decodeHubConfig({ surface: value }, CONTEXT).surface;
  expect(surface({ dir: './surface' })).toEqual({ dir: '/srv/config/surface' });
  expect(surface({ dir: 'a', site: 'https://api.example', key: 'key.json' })).toEqual({
    dir: '/srv/config/a',
    site: 'https://api.example/',
    key: '/srv/config/key.json',
  });
  expect(() => surface({ site: 'https://api.example/' })).toThrow(/surface\.dir .*tidings surface writes to/);
});

test('a variable or a flag counts more than the file', () => {
  const quick = {
    allowPrivate: true,
    sources: [{ id: 'a', kind: 'site', url: 'http://a.example/', intervalSeconds: 5 }],
  };
  expect(decodeHubConfig(quick, CONTEXT).allowPrivate).toBe(true);
  expect(() => decodeHubConfig(quick, { ...CONTEXT, allowPrivate: false })).toThrow(
    'tidings.config.json: sources[0].intervalSeconds 5 is refused. Give a whole number from 60',
  );
  expect(decodeHubConfig({ ...quick, allowPrivate: false }, { ...CONTEXT, allowPrivate: true }).allowPrivate).toBe(
    true,
  );
});

const SITE = { id: 'a', kind: 'site', url: 'https://a.example/' };

const MAIL = { to: 'a@b.example', from: 'a@b.example', host: 'mail.example' };

const BAD: readonly (readonly [value: unknown, message: RegExp])[] = [
  [[], /^tidings\.config\.json \[\] is refused\. It must be a JSON object/],
  ['x', /JSON object/],
  [
    { prot: 1 },
    /: prot \(an unknown key\) is refused\. Did you mean port\? Known are .*extensions, limits, apiKeys, keySources, selfService, alerts, risk, signIn, access, websubHub, surface\.$/,
  ],
  [{ baseurl: 'https://a.example/' }, /Did you mean baseUrl\?/],
  [JSON.parse('{"__proto__":{"port":1}}'), /: __proto__ \(an unknown key\)/],
  [{ port: '8080' }, /: port "8080" is refused\. Give a whole number from 0 to 65535/],
  [{ port: 65_536 }, /port 65536/],
  [{ port: -1 }, /port -1/],
  [{ port: null }, /port null/],
  [{ host: '' }, /host ""/],
  [{ host: '127.0.0.1:8080' }, /the port is a key of its own/],
  [{ host: '1.2.3' }, /host/],
  [{ data: '' }, /data ""/],
  [{ data: 5 }, /data 5/],
  [{ baseUrl: 'hub.example' }, /baseUrl "hub\.example"/],
  [{ allowPrivate: 'yes' }, /allowPrivate "yes" .*true or false/],
  [{ cooldownMs: '2s' }, /cooldownMs "2s" .*whole number/],
  [{ cooldownMs: -1 }, /cooldownMs -1/],
  [{ botUrl: 'docs) evil' }, /botUrl/],
  [{ ca: '' }, /ca ""/],
  [{ leaseSeconds: 0 }, /leaseSeconds 0 .*1 to 300/],
  [{ concurrency: 0 }, /concurrency 0 .*1 to 256/],
  [{ trustProxies: '10.0.0.0/8' }, /trustProxies .*list/],
  [{ trustProxies: ['10.0.0.0/33'] }, /trustProxies\[0\] .*network/],
  [{ trustProxies: ['proxy.example'] }, /trustProxies\[0\]/],
  [{ trustProxies: ['256.0.0.1'] }, /trustProxies\[0\]/],
  [{ ttlSeconds: 0.5 }, /ttlSeconds/],
  [{ about: 'nowhere' }, /about/],
  [{ snapshotDays: -1 }, /snapshotDays/],
  [{ retention: { log: { days: 0 } } }, /retention.log.days.*catch up/],
  [{ retention: { log: { bytes: 10 } } }, /retention.log.bytes.*catch up/],
  [{ retention: { log: { days: 1, bytes: 1e9 } } }, /retention.log.*either days or bytes/],
  [{ retention: { checks: { days: 1, bytes: 1 } } }, /retention.checks.*either days or bytes/],
  [{ retention: { archives: { atom: { days: 0 } } } }, /retention.archives.atom.days.*catch up/],
  [{ retention: { archives: { atom: { bytes: 10 } } } }, /retention.archives.atom.bytes.*catch up/],
  [{ retention: { archives: { atm: { days: 1 } } } }, /retention.archives.atm .an unknown key.*Did you mean atom/],
  [{ retention: { archives: { days: 1 } } }, /retention.archives.days .an unknown key/],
  [{ extensions: { push: true } }, /extensions\.push \(an unknown key\)/],
  [
    { extensions: { chunkHints: { embedRef: 'https://v.example/x' } } },
    /extensions\.chunkHints\.embedRef .*\{chunk_id\}/,
  ],
  [{ extensions: { billingHints: true } }, /extensions\.billingHints true/],
  [{ extensions: { billingHints: { plan: 'free' } } }, /billingHints\.unit \(missing\)/],
  [{ extensions: { billingHints: { plan: 'free', unit: 'words' } } }, /unit "words"/],
  [{ limits: 60 }, /limits 60 .*JSON object/],
  [{ limits: { perMinutes: 60 } }, /limits\.perMinutes \(an unknown key\) .*Did you mean perMinute/],
  [{ limits: { perMinute: 0 } }, /limits\.perMinute 0 .*from 1 to/],
  [{ limits: { perMinute: 1.5 } }, /limits\.perMinute 1\.5/],
  [{ limits: { perMinute: '60' } }, /limits\.perMinute "60"/],
  [{ limits: { perMinute: null } }, /limits\.perMinute null/],
  [{ limits: { perMinute: { gold: 1 } } }, /limits\.perMinute\.gold \(an unknown key\)/],
  [{ limits: { perMinute: { pro: -1 } } }, /limits\.perMinute\.pro -1/],
  [{ apiKeys: { provider: 'paypal' } }, /apiKeys\.provider "paypal" .*none, builtin, stripe/],
  [{ apiKeys: { provider: 'stripe' } }, /apiKeys\.price \(missing\)/],
  [{ apiKeys: { provider: 'stripe', price: 'p', tier: 'free' } }, /apiKeys\.tier "free" .*pro, enterprise/],
  [{ apiKeys: { provider: 'stripe', price: 'p', apiUrl: 'api' } }, /apiKeys\.apiUrl "api"/],
  [{ apiKeys: { provider: 'stripe', price: 'p', key: 'sk_live_1' } }, /apiKeys\.key \(an unknown key\)/],
  [{ apiKeys: { provider: 'builtin', price: 'p' } }, /apiKeys\.price "p" .*stripe only/],
  [{ apiKeys: { price: 'p' } }, /apiKeys\.price/],
  [{ apiKeys: { tier: 'pro' } }, /apiKeys\.tier/],
  [{ alerts: { failedChecks: 0 } }, /alerts\.failedChecks 0 .*from 1 to 1000/],
  [{ alerts: { mail: { from: 'a@b.example', host: 'x' } } }, /alerts\.mail\.to \(missing\)/],
  [{ alerts: { mail: { ...MAIL, to: 'Ann <a@b.example>' } } }, /alerts\.mail\.to "Ann/],
  [{ alerts: { mail: { ...MAIL, from: 'a@b.example\r\nBcc: c@d.example' } } }, /alerts\.mail\.from/],
  [{ alerts: { mail: { ...MAIL, to: [] } } }, /alerts\.mail\.to/],
  [{ alerts: { mail: { ...MAIL, host: 'a b' } } }, /alerts\.mail\.host/],
  [{ alerts: { mail: { ...MAIL, password: 'secret' } } }, /alerts\.mail\.password \(an unknown key\)/],
  [{ keySources: { most: -1 } }, /keySources\.most -1 .*from 0 to 10000/],
  [{ selfService: { enabled: 'yes' } }, /selfService\.enabled "yes"/],
  [{ selfService: { everyMinutes: 5 } }, /selfService\.everyMinutes 5 .*from 10 to 43200/],
  [{ keySources: { minIntervalSeconds: 59 } }, /keySources\.minIntervalSeconds 59/],
  [{ risk: { rules: { secrecy: 1.1 } } }, /risk\.rules\.secrecy 1\.1 .*from 0 to 1/],
  [{ risk: { rules: { secrecy: '0.5' } } }, /risk\.rules\.secrecy "0\.5"/],
  [{ risk: { rules: [] } }, /risk\.rules \[\]/],
  [{ access: 'secret' }, /access "secret"/],
  [{ signIn: { oidc: { clientId: 'a', roles: {} } } }, /signIn\.oidc\.issuer/],
  [{ signIn: { oidc: { issuer: 'https://a.example', roles: {} } } }, /signIn\.oidc\.clientId/],
  [{ signIn: { oidc: { issuer: 'https://a.example', clientId: 'a' } } }, /signIn\.oidc\.roles/],
  [{ signIn: { oidc: { issuer: 'a.example', clientId: 'a', roles: {} } } }, /signIn\.oidc\.issuer "a\.example"/],
  [{ signIn: { oidc: { issuer: 'https://a.example', clientId: 'a', roles: { boss: [] } } } }, /roles\.boss/],
  [{ signIn: { oidc: { issuer: 'https://a.example', clientId: 'a', roles: { admin: 'ops' } } } }, /roles\.admin/],
  [{ signIn: { oidc: { issuer: 'https://a.example', clientId: 'a', roles: {}, clientSecret: 's' } } }, /clientSecret/],
  [{ signIn: { hours: 0 } }, /signIn\.hours 0 /],
  [{ signIn: { minutes: 5 } }, /signIn\.minutes \(an unknown key\)/],
  [{ risk: { rule: {} } }, /risk\.rule \(an unknown key\)/],
  [{ sources: {} }, /sources \{\} .*list/],
  [{ sources: ['https://a.example/'] }, /sources\[0\] "https.*JSON object/],
  [{ sources: [SITE, { ...SITE, id: 'b', intervalSeconds: 'x' }] }, /: sources\[1\]\.intervalSeconds "x" is refused/],
  [{ sources: [{ ...SITE, id: 'A' }] }, /sources\[0\]\.id "A"/],
  [{ sources: [{ ...SITE, id: 'all' }] }, /sources\[0\]\.id "all"/],
  [{ sources: [{ ...SITE, url: 'ftp://a.example/' }] }, /sources\[0\]\.url/],
  [{ sources: [{ ...SITE, url: 'https://a.example/#x' }] }, /sources\[0\]\.url/],
  [{ sources: [{ ...SITE, kind: 'web' }] }, /sources\[0\]\.kind "web"/],
  [{ sources: [{ ...SITE, path: 'x' }] }, /sources\[0\]\.path \(an unknown key\)/],
  [{ sources: [{ ...SITE, fallbacks: [5] }] }, /sources\[0\]\.fallbacks\[0\] 5/],
  [{ sources: [{ ...SITE, include: ['docs'] }] }, /sources\[0\]\.include\[0\] "docs"/],
  [{ sources: [{ ...SITE, tags: ['a', 'a'] }] }, /sources\[0\]\.tags\[1\] "a"/],
  [{ sources: [{ ...SITE, apiKeyFile: 'x' }] }, /sources\[0\]\.apiKeyFile \(an unknown key\)/],
  [{ sources: [{ id: 'a', kind: 'folder', path: 'x' }] }, /sources\[0\]\.site \(missing\)/],
  [{ sources: [{ id: 'a', kind: 'page' }] }, /sources\[0\]\.urls \(missing\)/],
];

test('mails have the port of their kind, and a password is read from a file and never sent in the clear', () => {
  const mail = (more: object) => decodeHubConfig({ alerts: { mail: { ...MAIL, ...more } } }, CONTEXT).alerts.mail;
  expect(mail({})).toEqual({ ...MAIL, to: ['a@b.example'], port: 587, intervalSeconds: 300 });
  expect(mail({ secure: true })?.port).toBe(465);
  expect(mail({ user: 'hub', passwordFile: 'pw' })).toMatchObject({ passwordFile: '/srv/config/pw' });
  expect(() => mail({ user: 'hub' })).toThrow(/alerts\.mail\.passwordFile \(missing\)/);
  expect(() => mail({ passwordFile: 'pw' })).toThrow(/alerts\.mail\.user \(missing\)/);
  expect(() => mail({ user: 'hub', passwordFile: 'pw', secure: false })).toThrow(/not sent in the clear/);
});

test.each(BAD)('%j is refused by name, and by the schema', (value, message) => {
  expect(() => decodeHubConfig(value, CONTEXT)).toThrow(message);
  expect(matchesSchema(schema, value)).toBe(false);
});

/** What no schema can say. */
test.each([
  [{ sources: [SITE, { ...SITE, url: 'https://b.example/' }] }, /sources\[1\]\.id "a" .*id of sources\[0\] already/],
  [{ sources: [{ ...SITE, fallbacks: ['https://a.example'] }] }, /the source itself/],
  [{ sources: [{ ...SITE, intervalSeconds: 5 }] }, /from 60/],
  [
    { limits: { perMinute: { free: 2000, pro: 10 } } },
    /limits\.perMinute\.pro 10 .*Give 2000 or more: free has as many/,
  ],
  [{ limits: { perMinute: { pro: 10 } } }, /limits\.perMinute\.pro 10 .*Give 60 or more/],
  [{ limits: { perMinute: { enterprise: 999 } } }, /limits\.perMinute\.enterprise 999 .*Give 1000 or more: pro/],
  [{ limits: { perMinute: { free: 9000, enterprise: 10 } } }, /limits\.perMinute\.enterprise 10 .*Give 9000 or more/],
])('%j is refused by name', (value, message) => {
  expect(() => decodeHubConfig(value, CONTEXT)).toThrow(message);
});

test('the schema takes what the decoder takes', () => {
  for (const value of [{}, EXAMPLE, EVERYTHING, { extensions: { chunkHints: true } }]) {
    expect(matchesSchema(schema, value)).toBe(true);
  }
});

test('the schema describes every key, and knows the same ones', () => {
  const { properties, $defs } = schema as {
    properties: Record<string, { description?: string }>;
    $defs: Record<string, { properties: Record<string, { description?: string; $ref?: string }> }>;
  };
  const { $schema, ...keys } = properties;
  expect(Object.keys(properties).sort()).toEqual(Object.keys(EVERYTHING).sort());
  for (const [key, { description }] of Object.entries(keys)) expect(description, key).toMatch(/\.$/);
  for (const kind of ['folder', 'site', 'page', 'feed']) {
    const known = knownKeysOf(kind);
    expect(Object.keys($defs[kind]?.properties ?? {}).sort(), kind).toEqual(known.sort());
  }
});

function knownKeysOf(kind: string): string[] {
  try {
    decodeHubConfig({ sources: [{ id: 'a', kind, '?': 1 }] }, CONTEXT);
  } catch (error) {
    return /Known are (.*)\./.exec(String(error))?.[1]?.split(', ') ?? [];
  }
  throw new Error('the unknown key was taken');
}

test('an address of a database that is refused is not shown: it may have a password in it', () => {
  for (const database of [
    'mysql://tidings:secret-word@db.example/hub',
    'postgres://tidings:secret word@db.example',
    7,
  ]) {
    const decode = () => decodeHubConfig({ database }, CONTEXT);
    expect(decode).toThrow(/database \(not shown\) is refused/);
    expect(decode).not.toThrow(/secret/);
  }
});
