import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type TestSurface, testSurface, unwrap, verifiedTable } from '../../test/support/surface-site.ts';
import { decodeAgentFeed } from '../codecs/agent-feed/decode-feed.ts';
import { decodeSurfaceRecord } from '../dialects/agent-feed/surface/surface-record.ts';
import { canonicalEndpoint } from '../surface/resolve-url.ts';
import {
  announceEndpoint,
  archiveEntries,
  changeSchema,
  deprecateEndpoint,
  rotateSigningKey,
  terminateFeed,
} from './surface.ts';

const ORDERS = { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;
const STOCK = { ...ORDERS, endpointId: 'stock', endpoint: '/stock' } as const;
const SUNSET = '2027-01-01T00:00:00Z';

async function say(site: TestSurface, endpointId: string, version: string): Promise<void> {
  site.clock += 1000;
  await announceEndpoint(site.target, { ...ORDERS, endpointId, version });
}

clause(
  ['AF-ST3', 'AF-ST7', 'AF-ST1'],
  'what a fresh reader does not need moves to the archive, and nothing is lost',
  async () => {
    const site = await testSurface();
    for (const version of ['1.0', '1.1', '1.2']) await say(site, 'orders', version);
    await say(site, 'stock', '1.0');
    await say(site, 'orders', '1.3');
    const before = await site.table();
    const entries = (await site.feed()).entries.map(({ id }) => id);

    expect(await archiveEntries(site.target)).toMatchObject({ archived: 3, entries: 2 });
    const after = await site.table();
    const facts = (table: typeof before) => table.records().map(({ announcement, ...rest }) => rest);
    expect(facts(after)).toEqual(expect.arrayContaining(facts(before)));
    expect(canonicalEndpoint(after, 'rest', site.clock)).toEqual(canonicalEndpoint(before, 'rest', site.clock));

    const archive = unwrap(decodeAgentFeed((await site.read('agent-feed-archive.xml')) ?? ''));
    expect(archive).toMatchObject({
      selfLink: 'https://api.example/.well-known/agent-feed-archive.xml',
      specVersion: '0',
      feedStatus: 'active',
    });
    expect(verifiedTable(site.target.site, archive, await site.did()).records()).toMatchObject([{ version: '1.2' }]);
    const served = (await site.feed()).entries.map(({ id }) => id);
    expect([...archive.entries.map(({ id }) => id), ...served].sort()).toEqual([...entries].sort());
    const record = unwrap(decodeSurfaceRecord((await site.read('tidings/surface.ndjson')) ?? ''));
    expect(record.entries.map(({ id }) => id)).toEqual(entries);
    expect(await archiveEntries(site.target)).toMatchObject({ archived: 0, written: [] });
  },
);

clause('AF-ST6', 'an announcement that a change or a deprecation depends on stays', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  await deprecateEndpoint(site.target, { endpointId: 'orders', sunset: SUNSET });
  await say(site, 'orders', '2.0');
  await announceEndpoint(site.target, STOCK);
  await changeSchema(site.target, { endpointId: 'stock', from: '1.0', to: '1.1', migration: { add: ['/a'] } });
  await say(site, 'stock', '1.1');
  const before = (await site.table()).records();
  expect(await archiveEntries(site.target)).toMatchObject({ archived: 0, entries: 6 });
  expect((await site.table()).records()).toEqual(before);
  expect(before).toMatchObject([{ deprecation: { sunset: SUNSET } }, { migrations: [{ to: '1.1' }] }]);

  await say(site, 'orders', '2.1');
  expect(await archiveEntries(site.target)).toMatchObject({ archived: 1, entries: 6 });
  expect((await site.table()).find('orders')).toMatchObject([{ version: '2.1', deprecation: { sunset: SUNSET } }]);
});

test('a clone without its record goes on from what it serves, archive, keys and status included', async () => {
  const site = await testSurface();
  await say(site, 'orders', '1.0');
  await say(site, 'orders', '1.1');
  await archiveEntries(site.target);
  await rotateSigningKey({ key: site.target.key, dir: site.target.dir, site: site.target.site });
  await say(site, 'stock', '1.0');
  const files = ['did.json', 'agent-card.json', 'agent-feed.xml', 'agent-feed-archive.xml'];
  const before = await Promise.all(files.map(site.read));
  await rm(join(site.dir, '.well-known/tidings'), { recursive: true });

  expect(await archiveEntries(site.target)).toMatchObject({
    archived: 0,
    written: ['.well-known/tidings/surface.ndjson'],
  });
  expect(await Promise.all(files.map(site.read))).toEqual(before);
  await terminateFeed(site.target);
  await rm(join(site.dir, '.well-known/tidings'), { recursive: true });
  await expect(announceEndpoint(site.target, ORDERS)).rejects.toMatchObject({ name: 'FeedEndedError' });
});

clause(
  ['AF-ST10', 'AF-EN1'],
  'a feed of others is taken over only when all of it is verified and of a type that v0 has',
  async () => {
    const damage: readonly (readonly [string, (xml: string) => string])[] = [
      ['does not verify', (xml) => xml.replace('"version":"1.0"', '"version":"6.6"')],
      ['of the type "status"', (xml) => xml.replaceAll('>endpoint-announcement<', '>status<')],
      ['is none', (xml) => xml.replace('>active<', '>paused<')],
      ['no verification method', (xml) => xml.replace('#key-1', '#key-9')],
      ['cannot be read', () => '<html></html>'],
      ['twice', (xml) => xml.replace(/ {2}<entry>.*<\/entry>\n/s, '$&$&')],
    ];
    for (const [why, change] of damage) {
      const site = await testSurface();
      await announceEndpoint(site.target, ORDERS);
      const xml = change((await site.read('agent-feed.xml')) ?? '');
      await rm(join(site.dir, '.well-known/tidings'), { recursive: true });
      await site.write('agent-feed.xml', xml);
      await expect(announceEndpoint(site.target, STOCK), why).rejects.toThrow(why);
      expect(await site.read('agent-feed.xml')).toBe(xml);
      expect(await site.read('tidings/surface.ndjson')).toBeUndefined();
    }
    const site = await testSurface();
    await announceEndpoint(site.target, ORDERS);
    await rm(join(site.dir, '.well-known/tidings'), { recursive: true });
    await rm(join(site.dir, '.well-known/did.json'));
    await expect(announceEndpoint(site.target, STOCK)).rejects.toThrow('no did.json');
  },
);
