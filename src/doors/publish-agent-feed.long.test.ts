import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { build, FEED, prefixed, publisher, SITE, SURFACE } from '../../test/support/published-surface.ts';
import type { TestFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { encodeEvent } from '../codecs/aicf/encode.ts';
import type { DiffDeltaFeed } from '../codecs/diffdelta/wire.ts';
import { encodeLogLines } from '../log/log-file.ts';
import type { Change } from '../model/change.ts';
import { check } from './check.ts';
import { revokeSigningKey } from './surface.ts';

const ARCHIVE = '.well-known/agent-feed-archive.xml';

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
