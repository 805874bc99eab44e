import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { testSurface } from '../../test/support/surface-site.ts';
import { announceEndpoint, archiveEntries, initSurface, migrateFeed, terminateFeed } from './surface.ts';

const ORDERS = { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;
const NEW_FEED = 'https://new.example/.well-known/agent-feed.xml';

clause(
  ['AF-FS3', 'AF-FS6', 'AF-ST4'],
  'a terminated feed says so, and keeps its entries, signatures and identity',
  async () => {
    const site = await testSurface();
    await announceEndpoint(site.target, ORDERS);
    const before = await site.feed();
    const did = await site.read('did.json');
    expect(await terminateFeed(site.target)).toMatchObject({ feedStatus: 'terminated', entries: 1, warnings: [] });

    const after = await site.feed();
    expect(after.feedStatus).toBe('terminated');
    const facts = ({ entries }: typeof before) => entries.map(({ line, ...rest }) => rest);
    expect(facts(after)).toEqual(facts(before));
    expect((await site.table()).records()).toHaveLength(1);
    expect(await site.read('did.json')).toBe(did);
    expect(JSON.parse((await site.read('agent-card.json')) ?? '')).toMatchObject({
      agentFeed: { feedStatus: 'terminated' },
    });
  },
);

clause('AF-FS4', 'nothing is said after the end, and the end is not taken back', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  await terminateFeed(site.target);
  const before = await site.read('tidings/surface.ndjson');
  for (const again of [
    () => announceEndpoint(site.target, { ...ORDERS, version: '2.0' }),
    () => initSurface(site.target),
    () => migrateFeed(site.target, { to: NEW_FEED }),
    () => migrateFeed({ ...site.target, force: true }, { to: NEW_FEED }),
  ]) {
    await expect(again()).rejects.toMatchObject({ name: 'FeedEndedError', recovery: 'stop', status: 'terminated' });
  }
  expect(await site.read('tidings/surface.ndjson')).toBe(before);
  expect(await terminateFeed(site.target)).toMatchObject({
    written: [],
    warnings: [expect.stringContaining('before')],
  });
  expect(await archiveEntries(site.target)).toMatchObject({ archived: 0, feedStatus: 'terminated' });

  const forced = await announceEndpoint({ ...site.target, force: true }, { ...ORDERS, version: '2.0' });
  expect(forced).toMatchObject({
    feedStatus: 'terminated',
    entries: 2,
    warnings: [expect.stringContaining('stays terminated')],
  });
});

clause(['AF-FS5', 'AF-VS5'], 'a migrated feed names the new one and goes on being served', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  for (const to of [
    '',
    'new.example',
    'http://new.example/f.xml',
    'https://10.0.0.1/f.xml',
    'https://u:p@new.example/',
    `${NEW_FEED}#x`,
    'https://api.example/.well-known/agent-feed.xml',
  ]) {
    await expect(migrateFeed(site.target, { to }), to).rejects.toMatchObject({
      name: 'SurfaceRefusedError',
      recovery: 'fix-config',
    });
  }
  expect((await site.feed()).feedStatus).toBe('active');

  expect(await migrateFeed(site.target, { to: NEW_FEED })).toMatchObject({ feedStatus: 'migrated' });
  expect(await site.feed()).toMatchObject({
    feedStatus: 'migrated',
    migratedTo: NEW_FEED,
    entries: [{ type: 'endpoint-announcement' }],
  });
  expect(await migrateFeed(site.target, { to: NEW_FEED })).toMatchObject({
    written: [],
    warnings: [expect.stringContaining('before')],
  });
  await expect(migrateFeed(site.target, { to: 'https://third.example/' })).rejects.toMatchObject({
    name: 'FeedEndedError',
  });
  await expect(announceEndpoint(site.target, { ...ORDERS, version: '2' })).rejects.toMatchObject({
    status: 'migrated',
  });
  expect(await terminateFeed(site.target)).toMatchObject({ feedStatus: 'terminated' });
  expect((await site.feed()).migratedTo).toBeUndefined();
});

test('neither a lost key, nor a broken card, nor an entry that somebody put into the feed stops the kill switch', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  await rm(site.target.key);
  await site.write('agent-card.json', 'broken');
  const xml = (await site.read('agent-feed.xml')) ?? '';
  await site.write(
    'agent-feed.xml',
    xml.replace(/ {2}<entry>.*<\/entry>\n/s, (entry) => entry + entry.replace(/urn:af:[^<]*/, 'urn:x:1')),
  );
  expect((await site.feed()).entries).toHaveLength(2);

  const { feedStatus, warnings } = await terminateFeed(site.target);
  expect(feedStatus).toBe('terminated');
  expect(warnings).toEqual([
    expect.stringContaining('urn:x:1'),
    expect.stringContaining('/.well-known/agent-card.json was left'),
  ]);
  expect(await site.feed()).toMatchObject({ feedStatus: 'terminated', entries: [{}] });
});

test('a record that does not know of the end is not believed', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  const record = (await site.read('tidings/surface.ndjson')) ?? '';
  await terminateFeed(site.target);
  await site.write('tidings/surface.ndjson', record);
  await expect(announceEndpoint(site.target, { ...ORDERS, version: '2' })).rejects.toMatchObject({
    name: 'StateContradictionError',
  });
});
