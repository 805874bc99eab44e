import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { listenOnFreshPort } from '../../test/support/fresh-port.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { encodeEvent } from '../codecs/aicf/encode.ts';
import type { AicfEvent } from '../codecs/aicf/wire.ts';
import type { DiffDeltaFeed } from '../codecs/diffdelta/wire.ts';
import { LogLockedError } from '../errors/log-error.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { lockStateFolder } from '../io/state/state-folder.ts';
import { encodeLogLines } from '../log/log-file.ts';
import type { Change } from '../model/change.ts';
import { check } from './check.ts';
import { publish } from './publish.ts';
import {
  announceEndpoint,
  archiveEntries,
  changeSchema,
  newSigningKey,
  revokeSigningKey,
  rotateSigningKey,
  terminateFeed,
} from './surface.ts';

const SITE = 'https://docs.example/';
const RECORD = '.well-known/tidings/surface.ndjson';
const FEED = '.well-known/agent-feed.xml';
const ARCHIVE = '.well-known/agent-feed-archive.xml';
const SURFACE = ['.well-known/did.json', '.well-known/agent-card.json', FEED, RECORD];

const build = (text = 'Some text.') => ({
  'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]),
  'orders.html': htmlPage('Orders', [{ id: 'a', heading: 'First', text: 'How to order.' }]),
});

/** A site with pages, a key beside it, and what its publisher does. */
async function publisher() {
  const folder = temporaryFolder();
  folder.write(prefixed('site', build()));
  const key = join(folder.path, 'key.json');
  await newSigningKey({ key });
  const at = (name: string) => join(folder.path, name);
  const targetIn = (dir: string) => ({ dir: at(dir), site: SITE, key });
  return {
    folder,
    at,
    key,
    announce: (id: string, dir = 'site', endpoint = `${SITE}${id}`) =>
      announceEndpoint(targetIn(dir), { endpointId: id, endpoint, protocol: 'rest', version: '1.0' }),
    change: (id: string, dir = 'site') =>
      changeSchema(targetIn(dir), { endpointId: id, from: '1.0', to: '1.1', migration: { add: ['/currency'] } }),
    terminate: (dir = 'site') => terminateFeed(targetIn(dir)),
    archive: (dir = 'site') => archiveEntries(targetIn(dir)),
    rotate: (dir = 'site') => rotateSigningKey(targetIn(dir)),
    publish: (options: Partial<Parameters<typeof publish>[0]> = {}) =>
      publish({ dir: at('site'), site: SITE, title: 'Docs', author: 'Ann', allowPrivate: true, ...options }),
    copy: (from: string, to: string) => cpSync(at(from), at(to), { recursive: true }),
    /** The bytes of the surface in a folder. */
    surface: (dir = 'site') => SURFACE.map((path) => folder.read(`${dir}/${path}`)),
    events: (dir = 'site') => eventsIn(folder, dir),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function prefixed(dir: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${dir}/${name}`, text]));
}

function eventsIn(folder: TestFolder, dir: string): AicfEvent[] {
  const lines = folder.read(`${dir}/ai-changes.ndjson`).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as AicfEvent);
}

const latestIn = (folder: TestFolder, dir = 'site') =>
  JSON.parse(folder.read(`${dir}/diff/docs_example/latest.json`)) as DiffDeltaFeed;

clause(
  ['AF-IA1', 'AF-IA2', 'AF-PB2'],
  'static hosts are told the media types and how long the files are fresh',
  async () => {
    using at = await publisher();
    await at.announce('orders-api');
    const before = at.surface();
    const { artifacts } = await at.publish();
    expect(at.surface()).toEqual(before);
    expect(artifacts).toEqual(expect.arrayContaining(SURFACE));
    const headers = at.folder.read('site/_headers');
    expect(headers).toContain(
      '/.well-known/agent-feed.xml\n  Content-Type: application/atom+xml\n  Cache-Control: public, max-age=300\n',
    );
    for (const name of ['did.json', 'agent-card.json']) {
      expect(headers).toContain(
        `/.well-known/${name}\n  Content-Type: application/json\n  Cache-Control: public, max-age=300\n`,
      );
    }
  },
);

clause('AF-SC2', 'while a new key has signed nothing yet, did.json is fresh for a minute only', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.rotate();
  await at.publish();
  expect(at.folder.read('site/_headers')).toMatch(/did\.json\n.*\n {2}Cache-Control: public, max-age=60\n/);
  await at.announce('b');
  await at.publish();
  expect(at.folder.read('site/_headers')).toMatch(/did\.json\n.*\n {2}Cache-Control: public, max-age=300\n/);
});

test('each fact is told once in the other feeds, and a publish without news changes nothing', async () => {
  using at = await publisher();
  await at.publish();
  const pages = at.events().length;
  await at.announce('orders-api');
  const { entryId } = await at.change('orders-api');
  const report = await at.publish();
  expect(report).toMatchObject({ pages: 2, created: 0, updated: 0, unchanged: 2 });
  expect(report.changes).toMatchObject([
    { action: 'create', url: `${SITE}orders-api`, note: 'endpoint-announcement' },
    { action: 'update', url: `${SITE}orders-api`, note: 'schema-change' },
  ]);
  expect(at.events().slice(pages)).toMatchObject(report.changes.map(({ anchor: _, ...change }) => change));
  expect(latestIn(at.folder).buckets.new).toMatchObject([
    { url: `${SITE}orders-api`, headline: 'orders-api 1.1 (rest)' },
  ]);
  const log = at.folder.read('site/.well-known/tidings/log.ndjson');
  expect(log).toContain(`"originId":"${entryId}","verified":true,"signer":"did:web:docs.example#key-1"`);

  await at.publish();
  const settled = at.folder.fingerprint();
  expect((await at.publish()).changes).toEqual([]);
  expect(at.folder.fingerprint()).toEqual(settled);
});

test('pages are not disturbed by facts, also after the page state was lost', async () => {
  using at = await publisher();
  // An endpoint that has the address of a page.
  await at.announce('orders-page', 'site', `${SITE}orders.html`);
  await at.announce('far', 'site', `${SITE}far`);
  await at.publish();
  expect(at.events().filter(({ url }) => url === `${SITE}orders.html`)).toHaveLength(1);
  expect(at.events().at(-2)).toMatchObject({ action: 'create', url: `${SITE}${FEED}`, anchor: 'orders-page' });

  at.folder.remove('site/.well-known/tidings/pages.ndjson');
  expect(await at.publish()).toMatchObject({ pages: 2, changes: [], deleted: 0 });

  await at.terminate();
  const ended = await at.publish();
  expect(ended.changes).toMatchObject([
    { action: 'delete', url: `${SITE}${FEED}`, anchor: 'orders-page', note: 'terminated' },
    { action: 'delete', url: `${SITE}far`, note: 'terminated' },
  ]);
  // AICF has no delete of a part: it is told that the document changed in which the endpoint stood.
  expect(at.events().slice(-2)).toMatchObject([
    {
      action: 'update',
      url: `${SITE}${FEED}`,
      checksum: sha256(at.folder.read(`site/${FEED}`)),
      note: 'section-deleted',
    },
    { action: 'delete', url: `${SITE}far`, note: 'terminated' },
  ]);
  expect(at.events().at(-2)).not.toHaveProperty('anchor');
  expect(latestIn(at.folder).buckets.removed).toMatchObject([{ id: 'endpoint:orders-page' }, { id: 'endpoint:far' }]);
  expect((await at.publish()).changes).toEqual([]);
  expect(await check(at.at('site'))).toEqual([]);
});

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** What 0.1.0 wrote of an endpoint that is a part of the feed: each of its changes was an update, and its end had a checksum. */
function asBefore(change: Change): Change {
  const ended = change.action === 'delete' && { checksum: sha256('') };
  return { ...change, action: 'update', ...ended };
}

test('a site whose log tells of the end of a part as an update goes on, and keeps every byte that was read', async () => {
  using at = await publisher();
  const [log, feed] = ['site/.well-known/tidings/log.ndjson', 'site/ai-changes.ndjson'];
  const formats = ['aicf', 'agent-feed'];
  const rewrite = () => {
    const [header = '', ...lines] = at.folder.read(log).trimEnd().split('\n');
    const changes = lines.map((line) => JSON.parse(line) as Change);
    const told = changes.map((change) => (change.kind === 'endpoint' ? asBefore(change) : change));
    at.folder.write({ [log]: `${header}\n${encodeLogLines(told)}`, [feed]: told.map(encodeEvent).join('') });
    return [log, feed].map((file) => at.folder.read(file));
  };
  const goOn = async (before: readonly string[], changes: readonly unknown[]) => {
    expect((await at.publish({ formats })).changes).toMatchObject(changes);
    for (const [index, file] of [log, feed].entries()) {
      expect(at.folder.read(file).startsWith(before[index] ?? '?')).toBe(true);
    }
  };
  await at.announce('orders-page', 'site', `${SITE}orders.html`);
  await at.publish({ formats });
  const announced = rewrite();
  expect(announced[1]).toMatch(/"action":"update".*"anchor":"orders-page"/);
  await goOn(announced, []);
  await at.terminate();
  await goOn(announced, [{ action: 'delete', anchor: 'orders-page', note: 'terminated' }]);

  const ended = rewrite();
  expect(ended[1]).toMatch(/"action":"update".*"anchor":"orders-page".*"note":"terminated"/);
  at.folder.write(prefixed('site', build('Other text.')));
  await goOn(ended, [{ action: 'update', url: SITE, anchor: 'a' }]);
});

test('whatever an endpoint is called, the other feeds stay valid', async () => {
  using at = await publisher();
  const endpoints = [`${SITE}orders/{id}?q={b}|c`, 'https://API.example/{a}', 'wss://docs.example/ws', `${SITE}#top`];
  for (const [index, endpoint] of endpoints.entries()) await at.announce(`e${index}`, 'site', endpoint);
  const { changes } = await at.publish();
  expect(changes.slice(2)).toMatchObject([
    { action: 'create', url: `${SITE}orders/%7Bid%7D?q=%7Bb%7D%7Cc` },
    // The site of somebody else.
    { action: 'create', url: `${SITE}${FEED}`, anchor: 'e1' },
    { action: 'create', url: `${SITE}${FEED}`, anchor: 'e2' },
    // The home page has this address.
    { action: 'create', url: `${SITE}${FEED}`, anchor: 'e3' },
  ]);
  expect(await check(at.at('site'))).toEqual([]);
  expect((await at.publish()).changes).toEqual([]);
});

test('a dry run tells the facts and writes nothing', async () => {
  using at = await publisher();
  await at.announce('a');
  const before = at.folder.fingerprint();
  expect((await at.publish({ dryRun: true })).changes.at(-1)).toMatchObject({ note: 'endpoint-announcement' });
  expect(at.folder.fingerprint()).toEqual(before);
});

test('the site of an API needs no pages', async () => {
  using at = await publisher();
  for (const name of Object.keys(build())) at.folder.remove(`site/${name}`);
  await at.announce('a');
  expect(await at.publish()).toMatchObject({ pages: 0, changes: [{ note: 'endpoint-announcement' }] });
  expect(await at.publish()).toMatchObject({ changes: [] });
});

test('the files come along into another --out, also with the state elsewhere', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.publish({ out: at.at('out') });
  expect(at.surface('out')).toEqual(at.surface());
  await at.publish({ out: at.at('out2'), state: at.at('state') });
  expect(at.surface('out2')).toEqual(at.surface());

  // A build that begins anew: only the state is kept.
  const before = at.surface();
  at.folder.remove('site');
  at.folder.write(prefixed('site', build()));
  expect((await at.publish({ out: at.at('out3'), state: at.at('state') })).changes).toEqual([]);
  expect(at.surface('out3')).toEqual(before);
});

test.each(['a live site', 'a folder'])('a fresh build goes on from %s, with its own card', async (kind) => {
  using at = await publisher();
  at.folder.write({ 'site/.well-known/agent-card.json': '{"name":"Docs","skills":[]}' });
  await at.announce('a');
  await at.announce('b');
  await at.publish();
  at.copy('site', 'live');
  await using server = await serveFolder(at.at('live'));
  const previous = kind === 'a folder' ? at.at('live') : server.url;

  at.folder.write(prefixed('fresh', build()));
  expect((await at.publish({ dir: at.at('fresh'), previous })).changes).toEqual([]);
  expect(at.surface('fresh')).toEqual(at.surface('live'));
  await at.announce('c', 'fresh');
  expect((await at.publish({ dir: at.at('fresh'), previous })).changes).toHaveLength(1);

  // What the author changed of the card comes through.
  at.folder.write(prefixed('next', build()));
  at.folder.write({ 'next/.well-known/agent-card.json': '{"name":"Docs","skills":["new"]}' });
  await at.publish({ dir: at.at('next'), previous: at.at('fresh') });
  const card = JSON.parse(at.folder.read('next/.well-known/agent-card.json'));
  expect(card).toMatchObject({ skills: ['new'], agentFeed: { endpoints: [{}, {}, {}] } });
});

test('of two places, the one that knows more counts', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.publish({ out: at.at('out') });
  await at.announce('a', 'site', `${SITE}elsewhere`);
  expect(await at.archive()).toMatchObject({ archived: 1, entries: 1 });
  await at.publish({ out: at.at('out') });
  expect(at.surface('out')).toEqual(at.surface());
  expect(at.folder.read(`out/${ARCHIVE}`)).toBe(at.folder.read(`site/${ARCHIVE}`));
  // A folder that lags behind is no way back.
  at.copy('out', 'live');
  at.folder.remove('site');
  at.folder.write(prefixed('site', build()));
  await at.publish({ previous: at.at('live') });
  expect(at.surface()).toEqual(at.surface('live'));
});

test('a feed without its record is carried as it is, and told where its signatures can be verified', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.announce('b');
  at.folder.remove(`site/${RECORD}`);
  const xml = at.folder.read(`site/${FEED}`).replace(/(.*)#key-1</s, '$1#other<');
  at.folder.write({ [`site/${FEED}`]: xml });
  const { changes } = await at.publish({ out: at.at('out') });
  expect(changes.filter(({ note }) => note === 'endpoint-announcement')).toMatchObject([{ url: `${SITE}a` }]);
  expect(at.folder.read(`out/${FEED}`)).toBe(xml);
  expect(Object.keys(at.folder.fingerprint())).not.toContain(`out/${RECORD}`);

  // A card that was built since is the author's.
  at.folder.write(prefixed('fresh', build()));
  at.folder.write({ 'fresh/.well-known/agent-card.json': '{"name":"New"}' });
  await at.publish({ dir: at.at('fresh'), previous: at.at('out') });
  expect(at.folder.read(`fresh/${FEED}`)).toBe(xml);
  expect(at.folder.read('fresh/.well-known/agent-card.json')).toBe('{"name":"New"}');
});

test('one id that says two things stops everything', async () => {
  using at = await publisher();
  at.copy('site', 'twin');
  const fact = { endpointId: 'a', endpoint: '/a', protocol: 'rest', assertedAt: '2026-04-27T12:00:00Z' };
  const target = { site: SITE, key: at.key, now: () => 1_777_291_200_000 };
  await announceEndpoint({ ...target, dir: at.at('site') }, { ...fact, version: '1.0' });
  await announceEndpoint({ ...target, dir: at.at('twin') }, { ...fact, version: '9.9' });
  await stops(at, { previous: at.at('twin') }, /different things under the id urn:af:docs\.example/);
});

test('what nobody signed is not published again, wherever it stands', async () => {
  using at = await publisher();
  await at.announce('orders');
  await at.publish();
  at.copy('site', 'forged');
  for (const path of [RECORD, FEED]) {
    at.folder.write({
      [`forged/${path}`]: at.folder.read(`forged/${path}`).replaceAll(`${SITE}orders`, `${SITE}evil`),
    });
  }
  at.folder.write(prefixed('fresh', build()));
  const refused = {
    name: 'StateCorruptError',
    recovery: 'fix-input',
    message: expect.stringContaining('urn:af:docs.'),
  };
  const before = at.folder.fingerprint();
  await expect(at.publish({ dir: at.at('fresh'), previous: at.at('forged') })).rejects.toMatchObject(refused);
  await expect(at.publish({ dir: at.at('forged') })).rejects.toMatchObject(refused);
  const state = at.at('forged/.well-known/tidings');
  await expect(at.publish({ dir: at.at('fresh'), state })).rejects.toMatchObject(refused);
  await using live = await serveFolder(at.at('forged'));
  await expect(at.publish({ dir: at.at('fresh'), previous: live.url })).rejects.toMatchObject(refused);
  expect(at.folder.fingerprint()).toEqual(before);
  // Also without the record.
  at.folder.remove(`forged/${RECORD}`);
  await expect(at.publish({ dir: at.at('fresh'), previous: at.at('forged') })).rejects.toMatchObject(refused);
});

test('a surface is carried whatever is written beside it, so that its end stays the end', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.terminate();
  await at.publish();
  at.folder.write(prefixed('fresh', build()));
  const { artifacts } = await at.publish({ dir: at.at('fresh'), previous: at.at('site'), formats: ['aicf'] });
  expect(artifacts).toEqual(expect.arrayContaining(SURFACE));
  expect(at.surface('fresh')).toEqual(at.surface());
  expect(at.folder.read('fresh/_headers')).toContain(FEED);
  await expect(at.announce('b', 'fresh')).rejects.toMatchObject({ name: 'FeedEndedError' });
});

test('histories that went apart stop everything', async () => {
  using at = await publisher();
  at.copy('site', 'twin');
  await at.announce('a');
  await at.announce('b', 'twin');
  await stops(at, { previous: at.at('twin') }, /only one of them has the entry/);
});

test('an end that would be undone stops everything, also one that only the feed tells of', async () => {
  using at = await publisher();
  await at.announce('a');
  at.copy('site', 'twin');
  await at.terminate('twin');
  await at.announce('b');
  await stops(at, { previous: at.at('twin') }, /terminated in one of them, and that is for good/);

  const xml = at.folder.read(`site/${FEED}`).replace('>active<', '>terminated<');
  at.folder.write({ [`site/${FEED}`]: xml });
  await stops(at, {}, /terminated in one of them/);
});

test('a feed that was lost, and a record that was cut, stop everything', async () => {
  using at = await publisher();
  await at.announce('a');
  await at.publish();
  const record = at.folder.read(`site/${RECORD}`);
  at.folder.write({ [`site/${RECORD}`]: record.slice(0, -9) });
  await expect(at.publish()).rejects.toThrow(StateCorruptError);
  at.folder.remove(`site/${RECORD}`);
  at.folder.remove(`site/${FEED}`);
  await stops(at, {}, /tells of 1 facts of an agent-feed/);
  await at.publish({ formats: ['aicf', 'diffdelta'] });
  expect(at.folder.read('site/_headers')).not.toContain('agent-feed');
});

test('the surface of another site stops everything', async () => {
  using at = await publisher();
  await at.announce('a');
  await stops(at, { site: 'https://other.example/' }, /keys of did:web:docs\.example/);
});

test('a site without a surface gets none', async () => {
  using at = await publisher();
  const { artifacts } = await at.publish({ formats: ['agent-feed', 'aicf'] });
  expect(artifacts.filter((path) => /agent|did\.json|surface/.test(path))).toEqual([]);
  expect(at.folder.read('site/_headers')).not.toMatch(/agent-feed|did\.json/);
});

test('a host that answers with a page for what it does not have is no obstacle', async () => {
  using at = await publisher();
  await at.publish();
  at.copy('site', 'live');
  const files = at.folder.fingerprint();
  const server = createServer(({ url = '' }, response) => {
    const isThere = `live${url}` in files;
    response.writeHead(200, { 'content-type': isThere ? 'application/octet-stream' : 'text/html' });
    response.end(isThere ? readFileSync(at.at(`live${url}`)) : '<h1>Our app</h1>');
  });
  const port = await listenOnFreshPort(server);
  at.folder.write(prefixed('fresh', build()));
  const { changes } = await at.publish({ dir: at.at('fresh'), previous: `http://127.0.0.1:${port}/` });
  server.close();
  expect(changes).toEqual([]);
});

test('nobody publishes while a fact is being written, wherever the state is', async () => {
  using at = await publisher();
  await at.announce('a');
  const lock = await lockStateFolder(at.at('site/.well-known/tidings'));
  await expect(at.publish({ state: at.at('state') })).rejects.toThrow(LogLockedError);
  await lock.release();
  await at.publish({ state: at.at('state') });
});

async function stops(
  at: Awaited<ReturnType<typeof publisher>>,
  options: Partial<Parameters<typeof publish>[0]>,
  message: RegExp,
): Promise<void> {
  const before = at.folder.fingerprint();
  const stopped = at.publish(options);
  await expect(stopped).rejects.toThrow(message);
  await expect(stopped).rejects.toThrow(expect.objectContaining({ name: 'StateContradictionError' }));
  expect(at.folder.fingerprint()).toEqual(before);
}

clause('AF-D1', 'what is said again because a key was revoked is no news to who follows the other feeds', async () => {
  using at = await publisher();
  await at.announce('orders');
  await at.change('orders');
  await at.publish();
  const before = at.events();
  await at.rotate();
  const { saidAgain } = await revokeSigningKey({ dir: at.at('site'), site: SITE, key: at.key }, 'key-1');
  expect(saidAgain).toBe(2);
  await at.publish();
  expect(at.events()).toEqual(before);
  expect(at.folder.read('site/.well-known/did.json')).not.toContain('#key-1"');
  await at.announce('search');
  await at.publish();
  expect(at.events()).toHaveLength(before.length + 1);
});
