import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import {
  announcement,
  deprecation,
  type LiveOrigin,
  schemaChange,
  startLiveOrigin,
} from '../../../../test/support/agent-feed-origin.ts';
import { openVisitLab } from '../../../../test/support/hub-visits.ts';
import { temporaryFolder } from '../../../../test/support/site.ts';
import { createTestAuthority, type TestAuthority } from '../../../../test/support/test-ca.ts';
import { CARD_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { LogFullError } from '../../../errors/log-error.ts';
import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import { backUpDatabase } from '../../../io/sqlite/backup.ts';
import { openSqliteHubStore } from '../../../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../../../io/sqlite/log.ts';
import { createUndiciHttpClient } from '../../../io/undici/http-client.ts';
import { aicfLine } from '../../aicf/events/aicf-line.ts';
import { itemsOfRun } from '../../diffdelta/runs/run-items.ts';
import { READER_STORAGE } from './reader-storage.ts';
import { type RetrustOptions, retrustSource } from './retrust.ts';

/** Their ids are given where they are stated. */
const ANNOUNCED = announcement('');
const CHANGED = schemaChange('', { migration: { add: ['/currency'], rename: { '/amount': '/total' } } });
const DEPRECATED = deprecation('', { sunset: '2099-01-01T00:00:00Z' });

const MINUTE = 60_000;
let authority: TestAuthority;

beforeAll(() => {
  authority = createTestAuthority();
});

/** A hub's one source and the origin that it reads. Each visit comes a minute after the one before, unless it says otherwise. */
async function openLab(origin: LiveOrigin) {
  const config = { id: 'acme', kind: 'feed', dialect: 'agent-feed', url: origin.url } as const;
  const lab = await openVisitLab(config);
  const http = createUndiciHttpClient({
    allowPrivate: true,
    userAgent: 'test',
    deadlineMs: 60_000,
    ca: authority.cert,
  });
  return {
    ...lab,
    config,
    log: lab.log,
    async visit(extra: Parameters<typeof lab.visit>[0] = {}, afterMs = MINUTE) {
      lab.advance(afterMs);
      return await lab.visit({ http, ...extra });
    },
    tryOut: () => lab.test(config, { http }),
    retrust: (options?: RetrustOptions) => retrustSource(config, { store: lab.store, now: Date.now }, options),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
    },
  };
}

const brief = (log: readonly { action: string; note?: string; provenance: { readonly [key: string]: unknown } }[]) =>
  log.map(({ action, note, provenance: { verified } }) => `${action} ${note} ${verified ? 'verified' : 'unsigned'}`);

test('facts become changes with their signer, each once', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, notes: [] });
  expect(lab.log).toMatchObject([
    {
      source: 'acme',
      kind: 'endpoint',
      action: 'create',
      url: `${origin.url}orders`,
      title: 'orders-api 1.0 (rest)',
      note: 'endpoint-announcement',
      provenance: { by: 'agent-feed', originId: 'urn:af:localhost:1', verified: true, signer: origin.signer },
    },
  ]);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  origin.state(CHANGED, DEPRECATED);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  expect(brief(lab.log)).toEqual([
    'create endpoint-announcement verified',
    'update schema-change verified',
    'update deprecation verified',
  ]);
  // No page is fetched for an endpoint.
  expect(origin.site.asked.filter(({ url }) => !url.includes('/.well-known/'))).toEqual([]);
});

test('within the floor nobody is asked and nothing is wrong; an operator need not wait', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  const { polls } = origin;
  origin.state(CHANGED);
  const early = await lab.visit({}, 10_000);
  expect(early).toMatchObject({ is: 'read', changes: 0, freshMs: expect.any(Number), isUnasked: true, isBound: true });
  if (early.is !== 'read') throw new Error('It was read.');
  expect(early.freshMs).toBeGreaterThan(45_000);
  expect(early.freshMs).toBeLessThanOrEqual(50_000);
  expect(origin.polls).toBe(polls);
  expect(await lab.visit({ isAsked: true }, 0)).toMatchObject({ is: 'read', changes: 1 });
  expect(origin.polls).toBe(polls + 1);
});

test('an entry whose signature does not hold changes nothing and is noted', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.forge(ANNOUNCED);
  const outcome = await lab.visit();
  expect(outcome).toMatchObject({ is: 'read', changes: 0, notes: [expect.stringContaining('urn:af:localhost:1')] });
  expect(lab.log).toEqual([]);
});

test('without its identity a feed says nothing, and nothing is deleted', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  origin.identity({ status: 500 });
  origin.state(CHANGED);
  expect(await lab.visit()).toMatchObject({
    is: 'failed',
    changes: 0,
    error: { code: 'AgentFeedUnreadError', message: expect.stringMatching(/did\.json .*500/) },
    retryAfterMs: expect.any(Number),
  });
  expect(lab.log).toHaveLength(1);
  origin.identity();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
});

clause(
  ['AF-S3', 'AF-F3'],
  'terminated: endpoints go once, unsigned; active again is not trusted; an operator is believed',
  async () => {
    await using origin = await startLiveOrigin(authority);
    await using lab = await openLab(origin);
    origin.state(ANNOUNCED, CHANGED);
    await lab.visit();
    origin.status('terminated');
    expect(await lab.visit()).toMatchObject({
      is: 'failed',
      changes: 1,
      error: {
        code: 'AgentFeedUntrustedError',
        message: expect.stringMatching(/ended by its origin.*tidings source retrust acme/),
      },
    });
    expect(lab.log.at(-1)).toMatchObject({
      action: 'delete',
      url: `${origin.url}orders`,
      note: 'terminated',
      provenance: { verified: false },
    });
    expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });

    origin.status('active');
    origin.state(DEPRECATED);
    expect(await lab.visit()).toMatchObject({
      is: 'failed',
      changes: 0,
      error: { code: 'AgentFeedUntrustedError', message: expect.stringContaining('active again') },
    });
    await lab.retrust();
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
    expect(lab.log.at(-1)).toMatchObject({ action: 'create', note: 'deprecation', provenance: { verified: true } });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  },
);

test('a move to another owner is not followed: the endpoints go, and the message says where to', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  origin.status('migrated', 'https://elsewhere.example/.well-known/agent-feed.xml');
  for (const changes of [1, 0]) {
    expect(await lab.visit()).toMatchObject({
      is: 'failed',
      changes,
      error: { code: 'AgentFeedUntrustedError', message: expect.stringContaining('https://elsewhere.example/') },
    });
  }
  expect(brief(lab.log)).toEqual(['create endpoint-announcement verified', 'delete migrated unsigned']);
});

test('what was ended is not said by anybody else: a fallback is not asked', async () => {
  await using origin = await startLiveOrigin(authority);
  await using other = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  lab.configure({ ...lab.config, fallbacks: [other.url] });
  other.state(CHANGED);
  origin.state(ANNOUNCED);
  await lab.visit();
  origin.status('terminated');
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'AgentFeedUntrustedError' } });
  expect(brief(lab.log)).toEqual(['create endpoint-announcement verified', 'delete terminated unsigned']);
  expect(other.polls).toBe(0);
});

test('a move that is not followed stays the reason, also when the identity cannot be had any more', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  origin.status('migrated', 'https://elsewhere.example/.well-known/agent-feed.xml');
  await lab.visit();
  origin.identity({ status: 404 });
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { code: 'AgentFeedUntrustedError' } });
});

test('a stop between the reader and the log loses nothing and doubles nothing', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED, CHANGED);
  const full = new LogFullError('tidings.db', new Error('ENOSPC'));
  let refusals = 0;
  const store = {
    pagesOf: (id: string) => lab.store.pagesOf(id),
    commit: (visit: Parameters<typeof lab.store.commit>[0]) => lab.store.commit(visit),
    storage: lab.store.storage.bind(lab.store),
    changes: lab.store.changes.bind(lab.store),
    seqBefore: lab.store.seqBefore.bind(lab.store),
    followStateOf(id: string) {
      return Object.assign(lab.store.followStateOf(id), {
        async commit() {
          refusals += 1;
          throw full;
        },
      });
    },
  };
  await expect(lab.visit({ store })).rejects.toBe(full);
  expect(refusals).toBe(1);
  expect(lab.log).toEqual([]);
  // The reader has applied them: the feed need not be asked for them again.
  const { polls } = origin;
  expect(await lab.visit({}, 0)).toMatchObject({ is: 'read', changes: 2 });
  expect(origin.polls).toBe(polls);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(brief(lab.log)).toEqual(['create endpoint-announcement verified', 'update schema-change verified']);
});

test('a source that is named anew tells nothing of a feed that is not trusted', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  origin.status('terminated');
  await lab.visit();
  await lab.store.removeSource('acme');
  origin.status('active');
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'AgentFeedUntrustedError' } });
  await lab.retrust();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(brief(lab.log)).toEqual([
    'create endpoint-announcement verified',
    'delete terminated unsigned',
    'create endpoint-announcement verified',
  ]);
});

test('of two visits at a time the second one finds what the first one did', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED, CHANGED);
  const outcomes = await Promise.all([lab.visit({ isAsked: true }), lab.visit({ isAsked: true }, 0)]);
  expect(outcomes.map(({ changes }) => changes).sort()).toEqual([0, 2]);
  expect(await lab.store.storage(READER_STORAGE).factsOf(origin.feedUrl, 0, 10)).toHaveLength(2);
});

test('a feed of a later version is an error, and nothing is deleted', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  const body = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:af="https://agent-feed.dev/ns/v0"><id>x</id><title>t</title><updated>2026-04-27T12:00:00Z</updated><af:spec-version>1</af:spec-version><af:feed-status>active</af:feed-status></feed>`;
  origin.site.put('localhost', FEED_PATH, { headers: { 'content-type': 'application/atom+xml' }, body });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'AgentFeedSuspendedError' } });
  expect(lab.log).toHaveLength(1);
  origin.state();
  origin.status('active');
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
});

test('a try says what there is, and remembers nothing', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  expect(await lab.tryOut()).toMatchObject({
    is: 'read',
    notes: [expect.stringContaining('with 1 verified entry about 1 endpoint')],
  });
  origin.status('terminated');
  expect(await lab.tryOut()).toMatchObject({ is: 'failed', error: { code: 'AgentFeedUntrustedError' } });
  expect(await lab.store.storage(READER_STORAGE).find(origin.feedUrl)).toBeUndefined();
});

test('a move within the same host is followed: what was there goes, what is here comes, and trust is that of the new feed', async () => {
  await using origin = await startLiveOrigin(authority);
  await using next = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  next.state(announcement('', { 'endpoint-id': 'orders-v2', endpoint: '/v2' }));
  await lab.visit();
  origin.status('migrated', next.feedUrl);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2, notes: [expect.stringContaining(next.feedUrl)] });
  expect(lab.log.slice(1)).toMatchObject([
    { action: 'delete', url: `${origin.url}orders`, note: 'migrated', provenance: { verified: false } },
    { action: 'create', url: `${next.url}v2`, provenance: { verified: true, signer: next.signer } },
  ]);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  next.status('terminated');
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 1 });
  next.status('active');
  expect(await lab.retrust({ moved: true })).toEqual({ feedUrl: next.feedUrl, other: origin.feedUrl });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.log.at(-1)).toMatchObject({ action: 'create', url: `${next.url}v2` });
});

test('an operator trusts the feed that the source names, not where a move led that was none', async () => {
  await using origin = await startLiveOrigin(authority);
  await using next = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED, CHANGED);
  next.state(announcement('', { 'endpoint-id': 'forged', endpoint: '/forged' }));
  await lab.visit();
  await expect(lab.retrust({ moved: true })).rejects.toThrow(SettingRefusedError);
  origin.status('migrated', next.feedUrl);
  await lab.visit();
  origin.status('active');
  const { polls } = next;
  expect(await lab.retrust()).toEqual({ feedUrl: origin.feedUrl, other: next.feedUrl });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  expect(next.polls).toBe(polls);
  expect(lab.log.slice(-2)).toMatchObject([
    { action: 'delete', url: `${next.url}forged`, note: 'migrated' },
    { action: 'create', url: `${origin.url}orders`, note: 'schema-change', provenance: { verified: true } },
  ]);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  origin.state(DEPRECATED);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
});

test('two sources that lead to one feed each tell its facts once', async () => {
  await using origin = await startLiveOrigin(authority);
  await using next = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  origin.status('migrated', next.feedUrl);
  next.state(ANNOUNCED);
  const both = async () => {
    lab.configure(lab.config);
    const one = lab.visit({ isAsked: true });
    lab.configure({ ...lab.config, id: 'next', url: next.url });
    return await Promise.all([one, lab.visit({ isAsked: true }, 0)]);
  };
  await both();
  next.state(CHANGED, DEPRECATED);
  await both();
  await both();
  expect(await lab.store.storage(READER_STORAGE).factsOf(next.feedUrl, 0, 10)).toHaveLength(3);
  const told = (id: string) => brief(lab.log.filter(({ source }) => source === id));
  const facts = ['create endpoint-announcement', 'update schema-change', 'update deprecation'];
  expect(told('next')).toEqual(facts.map((fact) => `${fact} verified`));
  expect(told('acme')).toEqual([
    'create endpoint-announcement verified',
    'delete migrated unsigned',
    ...facts.map((fact) => `${fact} verified`),
  ]);
});

test('an endpoint that moves is gone from where it was, and is one item all the same', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  origin.state(announcement('', { endpoint: '/v2/orders', version: '2.0' }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  expect(lab.told(origin.url)).toEqual(['create /orders', 'delete /orders', 'update /v2/orders']);
  expect(lab.log[1]).toMatchObject({ note: 'moved', provenance: { verified: true, signer: origin.signer } });
  expect(itemsOfRun(lab.log, () => undefined)).toMatchObject([
    { isRemoved: false, item: { id: 'endpoint:orders-api', url: `${origin.url}v2/orders` } },
  ]);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
});

test('the pages of others are neither made nor deleted by a feed that names them', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(announcement('', { endpoint: 'https://victim.example/docs' }));
  await lab.visit();
  origin.status('terminated');
  await lab.visit();
  expect(lab.log.map(({ action, url, anchor }) => `${action} ${url}#${anchor}`)).toEqual([
    `create ${origin.feedUrl}#orders-api`,
    `delete ${origin.feedUrl}#orders-api`,
  ]);
  expect(lab.log.map((change) => JSON.parse(aicfLine(change) ?? ''))).toMatchObject([
    { action: 'create', url: origin.feedUrl, anchor: 'orders-api' },
    { action: 'update', url: origin.feedUrl },
  ]);
  expect(itemsOfRun(lab.log, () => undefined)).toMatchObject([{ isRemoved: true, item: { url: origin.feedUrl } }]);
});

test('what a reader knows is in a backup of the hub', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  await lab.visit();
  using copied = temporaryFolder();
  await backUpDatabase(lab.folder, join(copied.path, DATABASE_FILE));
  await using copy = await openSqliteHubStore({ folder: copied.path });
  expect(await copy.storage(READER_STORAGE).find(origin.feedUrl)).toEqual(
    await lab.store.storage(READER_STORAGE).find(origin.feedUrl),
  );
  expect(await copy.storage(READER_STORAGE).factsOf(origin.feedUrl, 0, 10)).toHaveLength(1);
});

test('a move to a place that cannot be had yet is tried again', async () => {
  await using origin = await startLiveOrigin(authority);
  await using next = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  next.state(announcement('', { 'endpoint-id': 'orders-v2', endpoint: '/v2' }));
  next.identity({ status: 404 });
  await lab.visit();
  origin.status('migrated', next.feedUrl);
  expect(await lab.visit()).toMatchObject({
    is: 'failed',
    changes: 1,
    error: {
      code: 'AgentFeedUnreadError',
      message: expect.stringMatching(`${next.feedUrl} could not be read.* Nothing is deleted for that.$`),
    },
  });
  next.identity();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(brief(lab.log)).toEqual([
    'create endpoint-announcement verified',
    'delete migrated unsigned',
    'create endpoint-announcement verified',
  ]);
});

test('what is wrong with a feed is noted as long as it is there, whoever asks how often', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.state(ANNOUNCED);
  origin.forge(CHANGED);
  const bad = [expect.stringContaining('"urn:af:localhost:2" is passed over')];
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, notes: bad });
  // Neither the same feed again, nor a look that asks nobody, nor another feed with the same flaw takes it back.
  expect(await lab.visit()).toMatchObject({ is: 'read', notes: bad });
  expect(await lab.visit({}, 1000)).toMatchObject({ is: 'read', isUnasked: true, notes: bad });
  origin.state(DEPRECATED);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, notes: bad });
});

test('what was wrong and is put right is not noted any more', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.forge(ANNOUNCED);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, notes: [expect.any(String)] });
  origin.publish({ entries: [{ ...ANNOUNCED, id: 'urn:af:localhost:1' }] });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, notes: [] });
});

test('a later problem is told beside the reason for which a feed is not used', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  const body = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:af="https://agent-feed.dev/ns/v0"><id>x</id><title>t</title><updated>2026-04-27T12:00:00Z</updated><af:spec-version>1</af:spec-version><af:feed-status>active</af:feed-status></feed>`;
  origin.site.put('localhost', FEED_PATH, { headers: { 'content-type': 'application/atom+xml' }, body });
  await lab.visit();
  origin.identity({ headers: { 'content-type': 'application/json' }, body: '{' });
  expect(await lab.visit({ isAsked: true })).toMatchObject({
    is: 'failed',
    error: {
      code: 'AgentFeedSuspendedError',
      message: expect.stringMatching(/spec-version 1.* The last look failed: did-malformed/),
    },
  });
});

test('who counts for nothing is not looked at before it may be asked again', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.status('terminated');
  const wait = { is: 'failed', retryAfterMs: expect.closeTo(MINUTE, -4) };
  expect(await lab.visit()).toMatchObject({ ...wait, error: { code: 'AgentFeedUntrustedError' } });
  await using later = await startLiveOrigin(authority);
  await using other = await openLab(later);
  later.publish({ specVersion: '1' });
  expect(await other.visit()).toMatchObject({ ...wait, error: { code: 'AgentFeedSuspendedError' } });
});

test('a card that asks for a pause does not keep the hub from the feed', async () => {
  await using origin = await startLiveOrigin(authority);
  await using lab = await openLab(origin);
  origin.site.put('localhost', CARD_PATH, { status: 429, headers: { 'retry-after': '86400' } });
  origin.state(ANNOUNCED);
  await lab.visit();
  expect(origin.site.asked.filter(({ url }) => url.includes(CARD_PATH))).toEqual([]);
});
