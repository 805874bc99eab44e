import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { CARD, DID, FEED, openAgentFeedLab } from '../../test/support/agent-feed-origin.ts';
import { type TestSurface, testSurface } from '../../test/support/surface-site.ts';
import { canonicalJson } from '../codecs/primitives/canonical-json.ts';
import {
  announceEndpoint,
  changeSchema,
  deprecateEndpoint,
  initSurface,
  listSigningKeys,
  revokeSigningKey,
  rotateSigningKey,
  terminateFeed,
} from './surface.ts';

const ORDERS = { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;
const SEARCH = { endpointId: 'search', endpoint: '/search', protocol: 'mcp', version: '1' } as const;
const RECORD = 'tidings/surface.ndjson';

/** Two facts of key-1, then two of key-2, the first of which is about an endpoint of key-1. */
async function rotated(address?: string): Promise<TestSurface> {
  const site = await testSurface(address);
  const { key, dir, site: origin } = site.target;
  await announceEndpoint(site.target, SEARCH);
  site.clock += 1000;
  await announceEndpoint(site.target, ORDERS);
  await rotateSigningKey({ key, dir, site: origin });
  site.clock += 1000;
  await changeSchema(site.target, { endpointId: 'orders-api', from: '1.0', to: '1.1', migration: { add: ['/tax'] } });
  site.clock += 1000;
  await deprecateEndpoint(site.target, { endpointId: 'search', sunset: '2027-01-01T00:00:00Z' });
  site.clock += 1000;
  return site;
}

async function removeByHand(site: TestSurface, id: string): Promise<void> {
  const did = JSON.parse((await site.read('did.json')) ?? '');
  const others = did.verificationMethod.filter((method: { id: string }) => !method.id.endsWith(`#${id}`));
  await site.write('did.json', JSON.stringify({ ...did, verificationMethod: others }));
}

clause(
  ['AF-D1', 'AF-R2'],
  'a revoked key is in no file that readers trust, and what it said is said again',
  async () => {
    const site = await rotated();
    const before = await site.feed();
    const records = (await site.table()).records();
    const report = await revokeSigningKey(site.target, 'key-1');
    expect(report).toMatchObject({ saidAgain: 4, entries: 4, feedStatus: 'active' });

    expect(await site.read('did.json')).not.toContain('#key-1"');
    const after = await site.feed();
    const wordsOf = ({ content = '', type }: { content?: string; type?: string }) => {
      const { 'said-again-at': _, ...words } = JSON.parse(content);
      return [words, type];
    };
    expect(after.entries.map(wordsOf)).toEqual(before.entries.map(wordsOf));
    expect(after.entries.map(({ content = '' }) => content.includes('said-again-at'))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(new Set(after.entries.map(({ signer }) => signer))).toEqual(new Set(['did:web:api.example#key-2']));
    expect(new Set([...before.entries, ...after.entries].map(({ id }) => id)).size).toBe(8);
    expect((await site.table()).records()).toEqual(records);
    expect((await site.read('agent-feed-archive.xml'))?.match(/<entry>/g)).toHaveLength(4);
    expect(await listSigningKeys({ key: site.target.key })).toMatchObject([
      { id: 'key-1', revoked: true },
      { id: 'key-2' },
    ]);
  },
);

test('it does not come back: not by the next command, not without the record, not by the end of the feed', async () => {
  const site = await rotated();
  await revokeSigningKey(site.target, 'did:web:api.example#key-1');
  await announceEndpoint(site.target, { ...ORDERS, version: '2.0' });
  expect((await site.did()).methods.map(({ id }) => id)).toEqual(['did:web:api.example#key-2']);
  expect(await revokeSigningKey(site.target, '#key-1')).toMatchObject({ written: [], saidAgain: 0 });

  await rm(join(site.dir, '.well-known', RECORD));
  await initSurface(site.target);
  expect((await site.did()).methods.map(({ id }) => id)).toEqual(['did:web:api.example#key-2']);
  await terminateFeed(site.target);
  expect((await site.did()).methods.map(({ id }) => id)).toEqual(['did:web:api.example#key-2']);
});

test('the key that signs now is not revoked, and neither is one that nobody knows', async () => {
  const site = await rotated();
  const before = await site.read(RECORD);
  await expect(revokeSigningKey(site.target, 'key-2')).rejects.toMatchObject({
    recovery: 'fix-config',
    message: expect.stringContaining('tidings keys rotate'),
  });
  await expect(revokeSigningKey(site.target, 'key-9')).rejects.toMatchObject({ recovery: 'fix-config' });
  expect(await site.read(RECORD)).toBe(before);
});

test('a key that was taken out of did.json by hand stops every command until it is revoked', async () => {
  const site = await rotated();
  await removeByHand(site, 'key-1');
  const did = await site.read('did.json');
  await expect(announceEndpoint(site.target, { ...ORDERS, version: '2.0' })).rejects.toMatchObject({
    recovery: 'fix-input',
    message: expect.stringContaining('tidings keys revoke key-1'),
  });
  await expect(initSurface(site.target)).rejects.toMatchObject({ recovery: 'fix-input' });
  expect(await site.read('did.json')).toBe(did);
  await revokeSigningKey(site.target, 'key-1');
  await announceEndpoint(site.target, { ...ORDERS, version: '2.0' });
  expect((await site.did()).methods).toHaveLength(1);
  expect((await site.table()).records()).toHaveLength(2);
});

test('what others use the key for ends, too, and all else of did.json stays', async () => {
  const site = await rotated();
  const did = JSON.parse((await site.read('did.json')) ?? '');
  await site.write(
    'did.json',
    JSON.stringify({ ...did, authentication: ['#key-1', '#mail'], service: [{ id: '#s' }] }),
  );
  await revokeSigningKey(site.target, 'key-1');
  expect(JSON.parse((await site.read('did.json')) ?? '')).toMatchObject({
    verificationMethod: [{ id: 'did:web:api.example#key-2' }],
    assertionMethod: ['did:web:api.example#key-2'],
    authentication: ['#mail'],
    service: [{ id: '#s' }],
  });
});

clause(
  ['AF-D1', 'AF-R1'],
  'a reader that knew the entries sees no change, and a fresh one learns the same',
  async () => {
    const lab = await openAgentFeedLab();
    const origin = lab.origin('api.example');
    const site = await rotated(`${origin.url}/`);
    const serve = async () => {
      for (const path of [DID, FEED, CARD]) {
        origin.put(path, { body: (await site.read(path.replace('/.well-known/', ''))) ?? '' });
      }
    };
    const knownOf = async (reader: ReturnType<typeof lab.reader>) => {
      const { endpoints, events, trust } = await reader.ingest(origin.url);
      const bare = endpoints.map(({ announcement, ...rest }) => rest);
      return {
        trust,
        endpoints: canonicalJson(JSON.parse(JSON.stringify(bare))),
        events: events.map(({ event }) => event),
      };
    };
    await serve();
    const reader = lab.reader();
    const first = await knownOf(reader);
    expect(first.endpoints).toContain('orders-api');

    await revokeSigningKey(site.target, 'key-1');
    await serve();
    lab.clock.nowMs += 2 * 86_400_000;
    const second = await knownOf(reader);
    expect(second).toMatchObject({ trust: first.trust, endpoints: first.endpoints });
    expect(second.events.filter((event) => event !== 'repeated-payload' && event !== 'entries-absent')).toEqual([]);
    const fresh = await knownOf(lab.reader());
    expect(fresh).toMatchObject({ trust: first.trust, endpoints: first.endpoints, events: first.events });
  },
);
