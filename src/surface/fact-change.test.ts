import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import type { AnnouncementFact, DeprecationFact, SchemaChangeFact } from '../codecs/agent-feed/wire.ts';
import { canonicalJson } from '../codecs/primitives/canonical-json.ts';
import { placeChanges } from '../log/place-changes.ts';
import { changeOfEnd, changeOfFact } from './fact-change.ts';
import { createSurfaceChanges } from './surface-changes.ts';

const FEED = 'https://api.example/.well-known/agent-feed.xml';
const SIGNER = 'did:web:api.example#key-1';
const ANNOUNCED: AnnouncementFact = {
  type: 'endpoint-announcement',
  endpointId: 'orders-api',
  endpoint: '/orders',
  protocol: 'rest',
  version: '1.0',
  assertedAt: '2026-04-27T12:00:00Z',
};
const CHANGED: SchemaChangeFact = {
  type: 'schema-change',
  endpointId: 'orders-api',
  fromVersion: '1.0',
  toVersion: '1.1',
  effectiveAt: '2026-05-01T00:00:00Z',
  migration: {
    add: ['/currency'],
    rename: { '/amount': '/total' },
    retype: { '/id': { from: 'number', to: 'string' } },
    remove: ['/old'],
  },
};
const DEPRECATED: DeprecationFact = {
  type: 'deprecation',
  endpointId: 'orders-api',
  announcedAt: '2026-06-01T00:00:00Z',
  sunset: '2027-01-01T00:00:00Z',
  replacement: 'orders-api-v2',
  reason: 'Use v2.',
};

const entry = (number: number, fact: AnnouncementFact | SchemaChangeFact | DeprecationFact) => ({
  entryId: `urn:af:api.example:${number}`,
  fact,
  signer: SIGNER,
});

/** As the log takes them. */
const placed = (changes: Parameters<typeof placeChanges>[0]) =>
  placeChanges(changes, { last: undefined, nowMs: 0, random: (size) => new Uint8Array(size) });

test('the life of an endpoint is told in the order of its facts', () => {
  const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
  const told = [ANNOUNCED, CHANGED, DEPRECATED].flatMap((fact, index) => changes.tell(entry(index + 1, fact)));
  expect(placed(told)).toMatchObject([
    {
      kind: 'endpoint',
      action: 'create',
      url: 'https://api.example/orders',
      title: 'orders-api 1.0 (rest)',
      summary: 'orders-api is served at https://api.example/orders (rest), version 1.0.',
      note: 'endpoint-announcement',
      claimedTime: '2026-04-27T12:00:00Z',
      provenance: {
        by: 'agent-feed',
        originId: 'urn:af:api.example:1',
        verified: true,
        signer: SIGNER,
        endpointId: 'orders-api',
        protocol: 'rest',
        version: '1.0',
      },
    },
    {
      action: 'update',
      url: 'https://api.example/orders',
      title: 'orders-api 1.1 (rest)',
      summary:
        'The schema of orders-api changed from 1.0 to 1.1: /currency added, /amount renamed to /total, /id changed from number to string, /old removed.',
      note: 'schema-change',
      claimedTime: '2026-05-01T00:00:00Z',
      provenance: { version: '1.1' },
    },
    {
      action: 'update',
      summary: 'orders-api is deprecated and ends at 2027-01-01T00:00:00Z; orders-api-v2 replaces it. Use v2.',
      note: 'deprecation',
    },
  ]);
  expect(told[0]).not.toHaveProperty('anchor');
});

test('the checksum is that of the payload as its origin signed it', () => {
  const payload = {
    'endpoint-id': 'orders-api',
    endpoint: '/orders',
    protocol: 'rest',
    version: '1.0',
    'asserted-at': '2026-04-27T12:00:00Z',
  };
  const record = { endpointId: 'orders-api', version: '1.0', migrations: [] };
  const { checksum } = changeOfFact(entry(1, ANNOUNCED), { source: 'api', feedUrl: FEED, record });
  expect(checksum).toBe(`sha256:${hash('sha256', canonicalJson(payload))}`);
});

test('only the first announcement of an endpoint creates it; one more protocol is one more endpoint', () => {
  const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
  const told = [
    ANNOUNCED,
    { ...ANNOUNCED, endpoint: '/v2/orders', version: '2.0' },
    { ...ANNOUNCED, protocol: 'mcp', endpoint: '/mcp' },
  ].flatMap((fact, index) => changes.tell(entry(index + 1, fact)));
  expect(told.map(({ action, url }) => `${action} ${url}`)).toEqual([
    'create https://api.example/orders',
    'delete https://api.example/orders',
    'update https://api.example/v2/orders',
    'create https://api.example/mcp',
  ]);
  expect(changes.end('terminated')).toHaveLength(2);
});

test('an endpoint that the web has no URL for is a part of the feed', () => {
  const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
  const told = [CHANGED, { ...ANNOUNCED, endpointId: 'stream', endpoint: 'wss://api.example/live' }].flatMap(
    (fact, index) => changes.tell(entry(index + 1, fact)),
  );
  expect(told).toMatchObject([
    { action: 'update', url: FEED, anchor: 'orders-api', title: 'orders-api 1.1' },
    { action: 'create', url: FEED, anchor: 'stream' },
  ]);
  expect(told[0]?.provenance).not.toHaveProperty('protocol');
  expect(changes.tell(entry(3, ANNOUNCED))).toMatchObject([{ action: 'create', url: 'https://api.example/orders' }]);
});

test('the address of another origin is nobody’s to tell of: neither that it is there nor that it is gone', () => {
  const others = ['https://victim.example/docs', 'http://api.example/orders', 'https://api.example:8443/orders'];
  for (const endpoint of others) {
    const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
    const told = [{ ...ANNOUNCED, endpoint }, CHANGED].flatMap((fact, index) => changes.tell(entry(index + 1, fact)));
    for (const change of [...told, ...changes.end('terminated'), ...changes.revive()]) {
      expect(change).toMatchObject({ url: FEED, anchor: 'orders-api' });
    }
    expect(told).toHaveLength(2);
  }
  const own = createSurfaceChanges({ source: 'api', feedUrl: FEED });
  expect(own.tell(entry(1, { ...ANNOUNCED, endpoint: 'https://API.example:443/orders' }))).toMatchObject([
    { url: 'https://api.example/orders' },
  ]);
});

test('an endpoint that moves leaves its old address, unless another one is there still', () => {
  const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
  changes.tell(entry(1, ANNOUNCED));
  changes.tell(entry(2, { ...ANNOUNCED, endpointId: 'legacy' }));
  expect(changes.tell(entry(3, { ...ANNOUNCED, endpoint: '/v2', version: '2.0' }))).toMatchObject([
    { action: 'update', url: 'https://api.example/v2' },
  ]);
  const moved = changes.tell(entry(4, { ...ANNOUNCED, endpointId: 'legacy', endpoint: 'https://other.example/' }));
  expect(placed(moved)).toMatchObject([
    {
      action: 'delete',
      url: 'https://api.example/orders',
      note: 'moved',
      summary: 'legacy is no longer served at https://api.example/orders.',
      provenance: { by: 'agent-feed', verified: true, signer: SIGNER, endpointId: 'legacy' },
    },
    { action: 'update', url: FEED, anchor: 'legacy', provenance: { originId: 'urn:af:api.example:4' } },
  ]);
  expect(moved[0]?.provenance).not.toHaveProperty('originId');
  expect(changes.tell(entry(5, { ...ANNOUNCED, endpoint: '/v2', version: '2.1' }))).toHaveLength(1);
  expect(changes.end('terminated').map(({ url }) => url)).toEqual(['https://api.example/v2', FEED]);
});

test('what had no effect is not told', () => {
  const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
  expect(changes.tell(entry(1, DEPRECATED))).toEqual([]);
  expect(changes.tell({ ...entry(2, ANNOUNCED), isVoid: true })).toEqual([]);
  expect(changes.end('terminated')).toEqual([]);
  const protocols = Array.from({ length: 100 }, (_, index) => ({ ...ANNOUNCED, protocol: `p${index}` }));
  const told = protocols.flatMap((fact, index) => changes.tell(entry(index + 3, fact)));
  expect(told.length, 'what is past the limits').toBe(changes.end('terminated').length);
});

test('an end is nobody’s signed word; what comes back is told as its last fact left it', () => {
  const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
  for (const [index, fact] of [ANNOUNCED, CHANGED].entries()) changes.tell(entry(index + 1, fact));
  const ends = changes.end('migrated');
  expect(placed(ends)).toMatchObject([
    { action: 'delete', url: 'https://api.example/orders', note: 'migrated', provenance: { verified: false } },
  ]);
  expect(ends[0]?.provenance).not.toHaveProperty('signer');
  expect(ends[0]).not.toHaveProperty('checksum');
  expect(changes.revive()).toMatchObject([
    { action: 'create', title: 'orders-api 1.1 (rest)', provenance: { verified: true, signer: SIGNER } },
  ]);
});

test('texts of others are one short line, whatever they hold', () => {
  const endpointId = `a\n\u0007b\ud800${'x'.repeat(5000)}`;
  const record = { endpointId, version: '1', migrations: [], url: 'https://api.example/a#part' };
  const fact = { ...ANNOUNCED, endpointId, assertedAt: 'never' };
  const change = changeOfFact(entry(1, fact), { source: 'api', feedUrl: FEED, record, isFirst: true });
  expect(placed([change])).toMatchObject([{ url: 'https://api.example/a' }]);
  expect(change).not.toHaveProperty('claimedTime');
  expect(change.title).toHaveLength(200);
  expect(change.summary).toHaveLength(1000);
  expect(change.title).toMatch(/^a b\ufffdx+…$/);
  expect(change.provenance?.endpointId?.toString().isWellFormed()).toBe(true);
  expect(changeOfEnd(record, { source: 'api', feedUrl: FEED, how: 'terminated' }).summary).toHaveLength(1000);
});

test('whatever a fact says, the log takes it', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.constantFrom('', '\ud800', '__proto__', '2026-01-01'),
  );
  const paths = fc.array(text, { maxLength: 20 });
  const migration = fc.record(
    {
      add: paths,
      remove: paths,
      rename: fc.dictionary(text, text),
      retype: fc.dictionary(text, fc.record({ from: text, to: text })),
    },
    { requiredKeys: [] },
  );
  const endpoint = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.webPath(),
    fc.constant('wss://a.example'),
  );
  const fact = fc.oneof(
    fc.record({ ...constants('endpoint-announcement'), endpoint, protocol: text, version: text, assertedAt: text }),
    fc.record({ ...constants('schema-change'), fromVersion: text, toVersion: text, effectiveAt: text, migration }),
    fc.record({
      ...constants('deprecation'),
      announcedAt: text,
      sunset: text,
      replacement: fc.option(text),
      reason: fc.option(text),
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ entryId: text, fact, signer: text }), { maxLength: 8 }), (facts) => {
      const changes = createSurfaceChanges({ source: 'api', feedUrl: FEED });
      const told = facts.flatMap((applied) => changes.tell(applied));
      placed([...told, ...changes.end('terminated'), ...changes.revive()]);
      for (const { title = '', summary = '' } of told) expect(`${title}${summary}`.isWellFormed()).toBe(true);
    }),
    { numRuns: 50 },
  );
});

function constants<Type extends string>(type: Type) {
  return { type: fc.constant(type), endpointId: fc.constantFrom('a', 'b', '', '__proto__') };
}
