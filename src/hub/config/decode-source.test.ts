import { expect, test } from 'vitest';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { decodeSource } from './decode-source.ts';

const CONTEXT = { allowPrivate: false, base: '/srv/config' };
const decode = (value: unknown, more: object = {}) => decodeSource(value, { ...CONTEXT, ...more });
const site = (more: object = {}) => ({ id: 'live', kind: 'site', url: 'https://live.example/', ...more });

test('each kind, with paths absolute and addresses in one spelling', () => {
  expect(
    decode({ id: 'docs', kind: 'folder', path: './site', site: 'https://Docs.Example', intervalSeconds: 1 }),
  ).toEqual({
    id: 'docs',
    kind: 'folder',
    path: '/srv/config/site',
    site: 'https://docs.example/',
    intervalSeconds: 1,
  });
  expect(decode(site({ url: 'https://live.example/docs', fallbacks: ['https://mirror.example'] }))).toEqual(
    site({ url: 'https://live.example/docs/', fallbacks: ['https://mirror.example/'] }),
  );
  const auto = {
    id: 'any',
    kind: 'auto',
    url: 'https://any.example/',
    maxPages: 5,
    only: ['main'],
    exclude: ['/log/'],
  };
  expect(decode({ ...auto, url: 'https://any.example' })).toEqual(auto);
  expect(() => decode({ ...auto, dialect: 'aicf' })).toThrow(/dialect/);
  expect(() => decode({ id: 'any', kind: 'auto' })).toThrow('url (missing) is refused. Give the address of the site.');
  const page = { id: 'terms', kind: 'page', urls: ['https://acme.example/terms?v=2'] };
  expect(decode({ id: 'terms', kind: 'pages', url: 'https://acme.example/terms?v=2' })).toEqual(page);
  expect(decode(page)).toEqual(page);
  const feed = { id: 'acme', kind: 'feed', url: 'https://acme.example/feed.ndjson', dialect: 'aicf' };
  expect(decode({ id: 'acme', kind: 'feed', url: feed.url })).toEqual(feed);
});

test('what comes out goes in again unchanged', () => {
  const sources = [
    {
      id: 'a',
      kind: 'folder',
      path: 'x',
      site: 'https://a.example',
      cleanUrls: true,
      title: 'A',
      exclude: ['/draft/'],
    },
    site({
      include: ['/docs/', '*.html$'],
      ignore: ['/log/**', '.ad'],
      only: ['main'],
      intervalSeconds: 60,
      maxPages: 5,
    }),
    { id: 'n', kind: 'auto', url: 'https://a.example/docs', ignore: ['.ad'], intervalSeconds: 60 },
    { id: 'p', kind: 'page', urls: ['https://b.example/1', 'https://b.example/2'] },
    { id: 'f', kind: 'feed', url: 'https://c.example', fallbacks: ['https://d.example/feed'] },
  ].map((source) => decode(source));
  expect(sources.map((source) => decode(JSON.parse(JSON.stringify(source))))).toEqual(sources);
});

test('a minute is the least for hosts of others; local work may go to a second', () => {
  expect(() => decode(site({ intervalSeconds: 59 }))).toThrow(
    'intervalSeconds 59 is refused. Give a whole number from 60 to 2592000 (from 1 with allowPrivate, for local work).',
  );
  expect(decode(site({ intervalSeconds: 1 }), { allowPrivate: true })).toMatchObject({ intervalSeconds: 1 });
  expect(() => decode(site({ intervalSeconds: 0 }), { allowPrivate: true })).toThrow(/from 1 to 2592000\.$/);
});

test.each<[string, unknown, RegExp]>([
  ['no object', null, /null is refused\. It must be a JSON object/],
  ['a list', [], /JSON object/],
  ['no kind', { id: 'a' }, /^kind \(missing\) .*one of auto, folder, site, page, feed/],
  ['a kind with a slip', { ...site(), kind: 'sites' }, /kind "sites" is refused\. Did you mean site\?/],
  ['no id', { kind: 'site', url: 'https://a.example/' }, /^id \(missing\)/],
  ['an id in capitals', site({ id: 'Live' }), /^id "Live"/],
  ['an id of ours', site({ id: '_all' }), /not beginning with _/],
  ['the reserved id', site({ id: 'all' }), /every source together/],
  ['an id that is too long', site({ id: 'a'.repeat(65) }), /at most 64/],
  ['an id with a line break', site({ id: 'a\n' }), /^id "a\\n"/],
  [
    'an unknown key',
    site({ intervalSecond: 60 }),
    /^intervalSecond \(an unknown key\) .*Did you mean intervalSeconds\? Known/,
  ],
  ['a key of another kind', site({ path: '/x' }), /^path \(an unknown key\)/],
  ['a prototype key', JSON.parse('{"id":"a","kind":"site","url":"https://a.example/","__proto__":{}}'), /^__proto__/],
  ['no url', { id: 'a', kind: 'site' }, /^url \(missing\)/],
  ['a relative url', site({ url: '/docs' }), /absolute URL/],
  ['another scheme', site({ url: 'ftp://a.example/' }), /absolute URL/],
  ['no host', site({ url: 'https://' }), /absolute URL/],
  ['a url with a tab', site({ url: 'https://a.ex\tample/' }), /absolute URL/],
  ['a fragment', site({ url: 'https://a.example/#x' }), /fragment/],
  ['an empty fragment', site({ url: 'https://a.example/#' }), /fragment/],
  ['a site with a query', site({ url: 'https://a.example/?a=1' }), /query/],
  ['a number as url', site({ url: 5 }), /^url 5 /],
  ['a fraction of a second', site({ intervalSeconds: 60.5 }), /whole number/],
  ['an interval as text', site({ intervalSeconds: '300' }), /^intervalSeconds "300"/],
  ['an interval beyond a month', site({ intervalSeconds: 2592001 }), /2592000/],
  ['itself as fallback', site({ fallbacks: ['https://live.example'] }), /^fallbacks\[0\] .*the source itself/],
  ['a fallback twice', site({ fallbacks: ['https://a.example', 'https://a.example/'] }), /^fallbacks\[1\] .*already/],
  ['nine fallbacks', site({ fallbacks: Array.from({ length: 9 }, (_, at) => `https://m${at}.example/`) }), /0 to 8/],
  ['a fallback as text', site({ fallbacks: 'https://a.example/' }), /list/],
  ['an empty pattern', site({ include: [''] }), /^include\[0\] "" .*begins with \/ or \*/],
  ['a pattern without a slash', site({ exclude: ['/a', 'docs/'] }), /^exclude\[1\]/],
  ['a wrong selector', site({ ignore: ['.a', 'p:hover'] }), /^ignore\[1\] "p:hover" is refused\. .*":hover"/],
  ['a wrong path', site({ only: ['/a**'] }), /^only\[0\] "\/a\*\*" .*alone between two slashes/],
  ['a rule twice', site({ only: ['main', 'main'] }), /^only\[1\] .*already/],
  ['a rule as text', site({ ignore: '.a' }), /list/],
  [
    'elements of a feed',
    { id: 'a', kind: 'feed', url: 'https://a.example/', ignore: ['/x', '.a'] },
    /^ignore\[1\] "\.a" .*give paths/,
  ],
  ['an empty title', site({ title: ' ' }), /^title/],
  ['null', site({ title: null }), /^title null/],
  ['a folder without site', { id: 'a', kind: 'folder', path: 'x' }, /^site \(missing\)/],
  ['a folder with a NUL', { id: 'a', kind: 'folder', path: 'x\0', site: 'https://a.example/' }, /^path/],
  ['a page and pages', { id: 'a', kind: 'page', url: 'https://a.example/', urls: ['https://b.example/'] }, /not both/],
  ['no page', { id: 'a', kind: 'page', urls: [] }, /list of 1 to/],
  ['a page twice', { id: 'a', kind: 'page', urls: ['https://a.example', 'https://a.example/'] }, /^urls\[1\]/],
  [
    'fallbacks of two pages',
    { id: 'a', kind: 'page', urls: ['https://a.example/1', 'https://a.example/2'], fallbacks: ['https://b.example/'] },
    /^fallbacks .*one page/,
  ],
  ['a dialect without a reader', { id: 'a', kind: 'feed', url: 'https://a.example/', dialect: 'rss' }, /one of aicf\./],
])('%s is refused by name', (_, value, message) => {
  expect(() => decode(value)).toThrow(SettingRefusedError);
  expect(() => decode(value)).toThrow(message);
});

test('a password is refused and not repeated', () => {
  expect(() => decode(site({ url: 'https://me:hunter2@a.example/' }))).toThrow(/^url .*user name or password/);
  expect(() => decode(site({ url: 'https://me:hunter2@a.example/' }))).not.toThrow(/hunter2/);
});

test('the dialects are those that have a reader, and the place is part of the name', () => {
  const feed = { id: 'a', kind: 'feed', url: 'https://a.example/', dialect: 'diffdelta' };
  expect(decode(feed, { dialects: ['aicf', 'diffdelta'] })).toEqual(feed);
  expect(() => decode(feed, { at: 'tidings.config.json: sources[1]' })).toThrow(
    /^tidings\.config\.json: sources\[1\]\.dialect "diffdelta" is refused/,
  );
});

test.each([
  ['plain http', { url: 'http://a.example/' }, /^url "http:\/\/a\.example\/" .*https only/],
  ['fallbacks', { fallbacks: ['https://b.example/'] }, /^fallbacks .*Nobody can speak/],
  ['a key', { apiKeyFile: 'a.key' }, /^apiKeyFile ".*a\.key" .*without a key/],
])('an agent-feed with %s is refused by name', (_, extra, message) => {
  const feed = { id: 'a', kind: 'feed', url: 'https://a.example/', dialect: 'agent-feed' };
  const dialects = ['aicf', 'agent-feed'];
  expect(decode(feed, { dialects })).toEqual(feed);
  expect(() => decode({ ...feed, ...extra }, { dialects })).toThrow(message);
});

test.each([
  ['https://api.example', 'https://api.example/'],
  ['https://api.example/.well-known/agent-feed.xml', 'https://api.example/'],
  ['https://api.example:8443/.well-known/agent-feed.xml', 'https://api.example:8443/'],
])('an agent-feed is that of its origin: %s', (url, origin) => {
  const feed = { id: 'a', kind: 'feed', url, dialect: 'agent-feed' };
  const context = { allowPrivate: false, base: '/', dialects: ['aicf', 'agent-feed'] };
  const decoded = decodeSource(feed, context);
  expect(decoded).toMatchObject({ url: origin });
  expect(decodeSource(decoded, context)).toEqual(decoded);
});

test.each([
  'https://api.example/api/v1/',
  'https://api.example/?a=b',
  'https://api.example/.well-known/agent-feed.xml?a',
])('an agent-feed at %s is refused with where it would be', (url) => {
  const feed = { id: 'a', kind: 'feed', url, dialect: 'agent-feed' };
  expect(() => decodeSource(feed, { allowPrivate: false, base: '/', dialects: ['agent-feed'] })).toThrow(
    /url.*An agent-feed is that of a whole origin.*https:\/\/api\.example\/\./,
  );
});

test('a site may name the one sitemap that counts, and other kinds have none', () => {
  const context = { allowPrivate: false, base: '/srv', dialects: ['aicf', 'atom'] };
  const site = { id: 'a', kind: 'site', url: 'https://a.example' };
  const sitemap = 'https://cdn.example/a/sitemap.xml.gz?v=1';
  expect(decodeSource({ ...site, sitemap }, context)).toEqual({ ...site, url: 'https://a.example/', sitemap });
  expect(() => decodeSource({ ...site, sitemap: '/sitemap.xml' }, context)).toThrow(/sitemap/);
  const feed = { id: 'a', kind: 'feed', url: 'https://a.example/f.xml', dialect: 'atom' };
  expect(decodeSource(feed, context)).toEqual(feed);
  expect(() => decodeSource({ ...feed, sitemap }, context)).toThrow(/sitemap \(an unknown key\)/);
  expect(() => decodeSource({ ...feed, dialect: 'atm' }, context)).toThrow(/atom/);
});
