import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { agentFeedOrigin } from '../../test/support/agent-feed-origin.ts';
import { createTestAuthority } from '../../test/support/test-ca.ts';
import { tidingsHere } from '../../test/support/tidings-here.ts';
import { startTlsSite } from '../../test/support/tls-site.ts';
import { ReaderLockedError } from '../errors/reader-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import {
  canonicalJson,
  createReader,
  decodeDidDocument,
  decodeFeed,
  decodePayload,
  decodeSignature,
  didOf,
  methodFor,
  publicKeyOfSeed,
  type ReaderEvent,
  type ReaderOptions,
  shapeOf,
  signPayload,
  verifySignature,
} from './agent-feed.ts';

/** RFC 8032 §7.1, test 1: a public test key. */
const SEED = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');

clause('AF-CT2', 'signs what an entry says, and another payload, key or signature does not verify', () => {
  const { content, signature } = signPayload({ version: '1.0', 'endpoint-id': 'é' }, SEED);
  expect(content).toBe('{"endpoint-id":"é","version":"1.0"}');
  expect(signature).toMatch(/^[A-Za-z0-9_-]{86}$/);
  const bytes = Buffer.from(content);
  const signed = decodeSignature(signature) ?? new Uint8Array();
  const key = publicKeyOfSeed(SEED);
  expect(verifySignature(key, bytes, signed)).toBe(true);
  expect(verifySignature(key, Buffer.from(`${content} `), signed)).toBe(false);
  expect(verifySignature(publicKeyOfSeed(Buffer.alloc(32, 1)), bytes, signed)).toBe(false);
  expect(
    verifySignature(
      key,
      bytes,
      signed.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
    ),
  ).toBe(false);
  expect(() => signPayload({ price: Number.NaN }, SEED)).toThrow(TypeError);
  expect(() => signPayload({}, SEED.subarray(1))).toThrow(TypeError);
});

test('what the parts of a feed say can be decoded one by one', async () => {
  const { api, host } = await lab();
  api.publish({ entries: [api.announcement('orders-api')] });
  const feed = decodeFeed(api.feedText());
  if (!feed.ok) throw new Error(feed.issues[0].message);
  const [entry] = feed.value.entries;
  const did = decodeDidDocument(api.didText(), api.origin);
  if (!did.ok) throw new Error(did.issues[0].message);
  expect(did.value.id).toBe(didOf(new URL(api.origin)));
  expect(did.value.id).toBe(`did:web:${host.replace(':', '%3A')}`);
  const method = methodFor(did.value, entry?.signer);
  if (!method.ok) throw new Error(method.reason);
  const content = entry?.content ?? '';
  const signature = decodeSignature(entry?.signature ?? '') ?? new Uint8Array();
  expect(verifySignature(method.method.publicKey, Buffer.from(content), signature)).toBe(true);
  expect(canonicalJson(JSON.parse(content))).toBe(content);
  expect(decodePayload('endpoint-announcement', content)).toMatchObject({
    ok: true,
    value: { endpointId: 'orders-api' },
  });
});

test('a reader ingests, answers and tells, without a file', async () => {
  const { api, options } = await lab();
  const told: ReaderEvent[] = [];
  await using reader = createReader({ ...options, onEvent: (event) => told.push(event) });
  const heard: ReaderEvent[] = [];
  const stop = reader.onEvent((event) => heard.push(event));
  expect(reader.events()).toEqual([]);
  api.publish({
    entries: [
      api.announcement('orders-api'),
      api.schemaChange('orders-api', { add: ['/currency'] }, { 'effective-at': '2026-05-01T00:00:00Z' }),
      { ...api.announcement('forged'), signature: 'A'.repeat(86) },
    ],
  });
  const report = await reader.ingest(api.origin);
  expect(report).toMatchObject({ origin: api.origin, trust: true, feedStatus: 'active', applied: 2, polled: true });
  const url = `${api.origin}/orders-api`;
  expect(await reader.resolveUrl(api.origin, 'orders-api')).toBe(url);
  expect(await reader.canonicalEndpoint(new URL(api.origin), 'rest')).toBe(url);
  expect(await reader.canonicalEndpoint(api.origin, 'mcp')).toBeNull();
  expect(await reader.resolveUrl(api.origin, 'nobody')).toBeNull();
  expect(await reader.observeLiveResponse(api.origin, 'orders-api', { currency: 'EUR' })).toBeUndefined();
  stop();
  const mismatch = await reader.observeLiveResponse(api.origin, 'orders-api', shapeOf({ total: 1 }));
  expect(mismatch).toMatchObject({ event: 'mismatch', 'fallback-version': '1.0' });
  expect(told.map(({ event }) => event)).toEqual(['unverified-entry', 'mismatch']);
  expect(heard.map(({ event }) => event)).toEqual(['unverified-entry']);
  expect(reader.events()).toEqual(told);
  expect(reader.events()).toEqual([]);
  const time = new Date('2026-04-28T00:00:00Z');
  for (const same of [time, time.getTime(), time.toISOString(), '2026-04-28T02:00:00+02:00', '2026-04-28']) {
    expect(await reader.assertedAt(api.origin, same)).toMatchObject([
      { version: '1.0', migrations: {}, deprecated: null },
    ]);
    expect(await reader.resolveUrl(api.origin, 'orders-api', { at: same })).toBe(url);
  }
  expect(await reader.resolveUrl(api.origin, 'orders-api', { at: '2020-01-01' })).toBeNull();
  for (const junk of ['yesterday', Number.NaN, new Date('never'), null as unknown as string]) {
    await expect(reader.assertedAt(api.origin, junk)).rejects.toThrow(SettingRefusedError);
  }
  expect((await reader.ingest(api.origin)).polled).toBe(false);
  expect((await reader.report(api.origin)).endpoints).toEqual(report.endpoints);
});

clause(
  ['AF-S8', 'AF-F3'],
  'with a file it knows over restarts who is trusted, and holds the file meanwhile',
  async () => {
    const { api, options, folder } = await lab();
    const state = join(folder, 'reader.db');
    api.publish({ entries: [], status: 'terminated' });
    {
      await using reader = createReader({ ...options, state });
      expect((await reader.ingest(api.origin)).trust).toBe(false);
      await using second = createReader({ ...options, state, lockWaitMs: 0 });
      await expect(second.report(api.origin)).rejects.toThrow(ReaderLockedError);
      await reader[Symbol.asyncDispose]();
      expect((await second.report(api.origin)).trust).toBe(false);
    }
    await using reader = createReader({ ...options, state });
    expect((await reader.report(api.origin)).trust).toBe(false);
    expect((await reader.retrust(api.origin)).trust).toBe(true);
  },
);

test('what it returns is plain JSON, and the same that tidings read prints', async () => {
  const { api, options } = await lab();
  const sunset = '2126-10-01T00:00:00Z';
  api.publish({
    entries: [
      api.announcement('orders-api'),
      api.schemaChange('orders-api', { add: ['/currency'] }),
      api.deprecation('orders-api', { sunset }),
      api.schemaChange('ghost', {}),
    ],
  });
  await using reader = createReader(options);
  const unread = await reader.report(api.origin);
  expect(unread).toEqual({
    origin: api.origin,
    trust: true,
    feedStatus: null,
    specVersion: null,
    lastSeen: null,
    applied: 0,
    skipped: 0,
    endpoints: [],
    events: [],
    polled: false,
    nextPollAt: null,
  });
  const report = await reader.ingest(api.origin);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  const printed = await tidingsHere('read', api.origin, '--json', '--allow-private', '--ca', String(options.ca));
  const { nextPollAt, ...rest } = JSON.parse(printed.stdout);
  expect({ ...rest, nextPollAt: report.nextPollAt }).toEqual(report);
  expect(Number.isFinite(Date.parse(nextPollAt))).toBe(true);
  expect(report.endpoints).toMatchObject([
    { migrations: { '1.0->1.1': { add: ['/currency'] } }, deprecated: { sunset } },
    { protocol: null, url: null, deprecated: null },
  ]);
  expect((await reader.retrust(api.origin)).events).toEqual([]);
});

test('a certificate authority may be given as text, which no message repeats', async () => {
  const { api, authority } = await lab();
  api.publish({ entries: [api.announcement('orders-api')] });
  await using reader = createReader({ ca: authority.cert, allowPrivate: true });
  expect(await reader.ingest(api.origin)).toMatchObject({ applied: 1 });
  await using broken = createReader({ ca: '-----BEGIN CERTIFICATE-----\nsecret\n-----END CERTIFICATE-----' });
  const refused = await broken.ingest(api.origin).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(SettingRefusedError);
  expect(String(refused)).not.toContain('secret');
});

test('a reader that was closed says so', async () => {
  const { api, options, folder } = await lab();
  const reader = createReader({ ...options, state: join(folder, 'reader.db') });
  await reader.report(api.origin);
  await reader.close();
  await reader.close();
  await expect(reader.ingest(api.origin)).rejects.toThrow('This reader is closed');
});

test('it waits for a state that another reader uses, or reads beside it', async () => {
  const { api, options, folder } = await lab();
  const state = join(folder, 'reader.db');
  api.publish({ entries: [api.announcement('orders-api')] });
  await using first = createReader({ ...options, state });
  const { nextPollAt, endpoints } = await first.ingest(api.origin);
  const asked = api.asked().length;
  await using beside = createReader({ ...options, state, readOnly: true });
  const known = { polled: false, nextPollAt, endpoints };
  expect(await beside.ingest(api.origin, { refresh: true })).toMatchObject(known);
  expect(api.asked()).toHaveLength(asked);
  await using second = createReader({ ...options, state });
  const waiting = second.report(api.origin);
  await first.close();
  expect(await waiting).toMatchObject(known);
});

test('a reader that was never asked opens nothing and closes nothing', async () => {
  const { folder, options } = await lab();
  await using _ = createReader({ ...options, state: join(folder, 'nowhere', 'reader.db') });
});

test('the clock is the caller’s, also for a pause that the origin asked for', async () => {
  const { api, options } = await lab();
  let nowMs = Date.UTC(2026, 5, 1);
  await using reader = createReader({ ...options, now: () => nowMs });
  api.put('/.well-known/agent-feed.xml', { status: 429, headers: { 'retry-after': '120' } });
  const pausedUntil = '2026-06-01T00:02:00Z';
  expect(await reader.ingest(api.origin)).toMatchObject({ nextPollAt: pausedUntil, pausedUntil });
  api.publish({ entries: [api.announcement('orders-api')] });
  nowMs += 119_000;
  expect((await reader.ingest(api.origin, { refresh: true })).polled).toBe(false);
  nowMs += 1000;
  expect(await reader.ingest(api.origin)).toMatchObject({ polled: true, applied: 1 });
  expect(Object.keys(await reader.report(api.origin))).not.toContain('problem');
});

test('settings that make no sense are refused at once, and so is http', async () => {
  expect(() => createReader({ timeoutMs: 0 })).toThrow(SettingRefusedError);
  expect(() => createReader({ botUrl: 'nobody' })).toThrow(SettingRefusedError);
  await using reader = createReader();
  await expect(reader.ingest('http://api.example')).rejects.toThrow(SettingRefusedError);
  await using loose = createReader({ insecure: true });
  await expect(loose.ingest('http://api.example')).rejects.toThrow(SettingRefusedError);
});

async function lab() {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-door-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const authority = createTestAuthority();
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, authority.cert);
  const site = await startTlsSite(authority.issue('localhost'));
  onTestFinished(() => site[Symbol.asyncDispose]());
  const options: ReaderOptions = { ca, allowPrivate: true };
  return { authority, api: agentFeedOrigin(site, 'localhost'), host: `localhost:${site.port}`, folder, options };
}
