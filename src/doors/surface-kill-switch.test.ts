import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestSurface, testSurface } from '../../test/support/surface-site.ts';
import { announceEndpoint, migrateFeed, newSigningKey, terminateFeed } from './surface.ts';

const ORDERS = { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;
const SEARCH = { endpointId: 'search', endpoint: '/search', protocol: 'mcp', version: '1' } as const;
const NEW_FEED = 'https://new.example/.well-known/agent-feed.xml';
const RECORD = 'tidings/surface.ndjson';

async function announced(): Promise<TestSurface> {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  site.clock += 1000;
  await announceEndpoint(site.target, SEARCH);
  return site;
}

async function addForgedEntry(site: TestSurface): Promise<void> {
  const xml = (await site.read('agent-feed.xml')) ?? '';
  const forged = /<entry>.*?<\/entry>\n/s
    .exec(xml)?.[0]
    .replace('/orders"', '/stolen"')
    .replace(/urn:af:[^<]*/, 'urn:x:1');
  await site.write('agent-feed.xml', xml.replace('</feed>', `${forged}</feed>`));
}

async function asides(site: TestSurface): Promise<string[]> {
  return (await readdir(join(site.dir, '.well-known/tidings'))).filter((name) => name.includes('.damaged-'));
}

test('a damaged line of the record does not stop the kill switch, and the damaged record is kept', async () => {
  const site = await announced();
  const [key = '', first = '', second = ''] = ((await site.read(RECORD)) ?? '').split('\n');
  const damaged = `${key}\n${first}\n<<<<<<< HEAD\n${second}\n`;
  await site.write(RECORD, damaged);

  const { feedStatus, entries, warnings } = await terminateFeed(site.target);
  expect({ feedStatus, entries }).toEqual({ feedStatus: 'terminated', entries: 2 });
  expect(warnings).toEqual([expect.stringMatching(/surface\.ndjson.*Line 3.*damaged-/)]);
  expect(await site.feed()).toMatchObject({ feedStatus: 'terminated', entries: [{}, {}] });
  expect((await site.table()).records()).toHaveLength(2);
  const [aside = ''] = await asides(site);
  expect(await site.read(`tidings/${aside}`)).toBe(damaged);
  expect(await terminateFeed(site.target)).toMatchObject({
    written: [],
    warnings: [expect.stringContaining('before')],
  });
});

test('without a record, a forged entry in the feed is left out', async () => {
  const site = await announced();
  const before = await site.feed();
  await addForgedEntry(site);
  const served = await site.read('agent-feed.xml');
  await rm(join(site.dir, '.well-known', RECORD));

  const { warnings } = await terminateFeed(site.target);
  expect(warnings).toEqual([expect.stringContaining('urn:x:1')]);
  const after = await site.feed();
  expect(after.feedStatus).toBe('terminated');
  expect(after.entries.map(({ id }) => id)).toEqual(before.entries.map(({ id }) => id));
  const [aside = ''] = await asides(site);
  expect(await site.read(`tidings/${aside}`)).toBe(served);
});

test('a card that is not UTF-8 is left as it is', async () => {
  const site = await announced();
  const card = join(site.dir, '.well-known/agent-card.json');
  await writeFile(card, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  const { feedStatus, warnings } = await terminateFeed(site.target);
  expect(feedStatus).toBe('terminated');
  expect(warnings).toEqual([expect.stringContaining('agent-card.json was left as it is')]);
  expect((await site.feed()).feedStatus).toBe('terminated');
  expect((await site.read('agent-card.json'))?.length).toBe(4);
});

test('record and did.json may be missing both: the key file names the keys', async () => {
  const site = await announced();
  await rm(join(site.dir, '.well-known', RECORD));
  await rm(join(site.dir, '.well-known/did.json'));
  await terminateFeed(site.target);
  expect(await site.feed()).toMatchObject({ feedStatus: 'terminated', entries: [{}, {}] });
  expect((await site.table()).records()).toHaveLength(2);
});

test('without any key the feed ends all the same, and it is said that nobody can look at it', async () => {
  const site = await announced();
  await rm(join(site.dir, '.well-known', RECORD));
  await rm(join(site.dir, '.well-known/did.json'));
  await rm(site.target.key);
  const { warnings } = await terminateFeed(site.target);
  expect(await site.feed()).toMatchObject({ feedStatus: 'terminated', entries: [] });
  expect(await site.read('did.json')).toBeUndefined();
  expect(warnings.join('\n')).toContain('did.json');
});

test.each(['', 'no XML', '<feed/>'])('a feed that cannot be read (%j) ends, too', async (text) => {
  const site = await announced();
  await rm(join(site.dir, '.well-known', RECORD));
  await site.write('agent-feed.xml', text);
  expect(await terminateFeed(site.target)).toMatchObject({ feedStatus: 'terminated', entries: 0 });
  expect((await site.feed()).feedStatus).toBe('terminated');
});

test('the feed is written first: what stops the rest does not stop the end', async () => {
  const site = await announced();
  await rm(join(site.dir, '.well-known/agent-card.json'));
  const { written } = await terminateFeed(site.target);
  expect(written[0]).toBe('.well-known/agent-feed.xml');
});

test('the end is not signed: it needs no key', async () => {
  const { target, ...site } = await announced();
  const { key: _, ...keyless } = target;
  expect(await migrateFeed(keyless, { to: NEW_FEED })).toMatchObject({ feedStatus: 'migrated', warnings: [] });
  expect(await terminateFeed(keyless)).toMatchObject({ feedStatus: 'terminated', warnings: [] });
  expect((await site.feed()).feedStatus).toBe('terminated');
});

test('the wrong site and a key of somebody else are mistakes of who asks', async () => {
  const site = await announced();
  const before = await site.read('agent-feed.xml');
  const other = `${site.target.key}.other`;
  await newSigningKey({ key: other });
  for (const target of [
    { ...site.target, site: 'https://other.example/' },
    { ...site.target, key: other },
  ]) {
    await expect(terminateFeed(target)).rejects.toMatchObject({ recovery: 'fix-config' });
    await expect(migrateFeed(target, { to: NEW_FEED })).rejects.toMatchObject({ recovery: 'fix-config' });
  }
  expect(await site.read('agent-feed.xml')).toBe(before);
});

test('a migration needs no more than the kill switch does, and does not undo it', async () => {
  const site = await announced();
  await site.write(RECORD, `junk\n${await site.read(RECORD)}`);
  expect(await migrateFeed(site.target, { to: NEW_FEED })).toMatchObject({ feedStatus: 'migrated', entries: 2 });
  expect(await site.feed()).toMatchObject({ feedStatus: 'migrated', migratedTo: NEW_FEED });

  const ended = await announced();
  const record = (await ended.read(RECORD)) ?? '';
  await terminateFeed(ended.target);
  await ended.write(RECORD, `junk\n${record}`);
  await expect(migrateFeed(ended.target, { to: NEW_FEED })).rejects.toMatchObject({ name: 'FeedEndedError' });
  expect((await ended.feed()).feedStatus).toBe('terminated');
});

test('of a record that is forged through and through the end still counts', async () => {
  const site = await announced();
  await terminateFeed(site.target);
  const active = ((await site.read('agent-feed.xml')) ?? '').replace('>terminated<', '>active<');
  await site.write('agent-feed.xml', active);
  await site.write(RECORD, ((await site.read(RECORD)) ?? '').replace(/(?<="signature":")[\w-]{86}/g, 'A'.repeat(86)));
  await expect(migrateFeed(site.target, { to: NEW_FEED })).rejects.toMatchObject({ name: 'FeedEndedError' });
});

test('a folder without a feed is the wrong folder: nothing ends, and nothing is written there', async () => {
  const site = await testSurface();
  const end = terminateFeed({ dir: site.dir, site: site.target.site });
  await expect(end).rejects.toMatchObject({ recovery: 'fix-config', message: expect.stringContaining('right one') });
  expect(await site.read('agent-feed.xml')).toBeUndefined();
});
