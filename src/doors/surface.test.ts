import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { NOON, type TestSurface, testSurface, unwrap, verifiedTable } from '../../test/support/surface-site.ts';
import { decodeAgentFeed } from '../codecs/agent-feed/decode-feed.ts';
import { canonicalJson } from '../codecs/primitives/canonical-json.ts';
import { announceEndpoint, changeSchema, deprecateEndpoint, initSurface, listSigningKeys } from './surface.ts';

const ORDERS = {
  endpointId: 'orders-api',
  endpoint: 'https://api.example/orders',
  protocol: 'rest',
  version: '1.0',
} as const;

clause(['AF-O1', 'AF-W2', 'AF-D3'], 'one announcement writes all three artifacts together', async () => {
  const site = await testSurface();
  const report = await announceEndpoint(site.target, ORDERS);

  expect(report).toEqual({
    entryId: `urn:af:api.example:${NOON}`,
    feedStatus: 'active',
    entries: 1,
    written: [
      '.well-known/did.json',
      '.well-known/tidings/surface.ndjson',
      '.well-known/agent-card.json',
      '.well-known/agent-feed.xml',
    ],
    warnings: [],
  });
  expect((await readdir(join(site.dir, '.well-known'))).sort()).toEqual([
    'agent-card.json',
    'agent-feed.xml',
    'did.json',
    'tidings',
  ]);
  expect(await readdir(join(site.dir, '.well-known/tidings'))).toEqual(['surface.ndjson']);
  expect((await site.table()).records()).toMatchObject([
    { endpointId: 'orders-api', url: 'https://api.example/orders', protocol: 'rest', version: '1.0' },
  ]);
});

clause(
  ['AF-ID3', 'AF-ID6'],
  'did.json is of the host and port of the site, and each method is controlled by it',
  async () => {
    const site = await testSurface('https://api.example:8443/');
    await announceEndpoint(site.target, ORDERS);
    const did = await site.did();
    expect(did.id).toBe('did:web:api.example%3A8443');
    expect(did.methods).toMatchObject([{ id: 'did:web:api.example%3A8443#key-1', controller: did.id }]);
    expect((await site.feed()).entries[0]?.id).toBe(`urn:af:api.example%3A8443:${NOON}`);
  },
);

async function twoAnnounced() {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  await announceEndpoint(site.target, { ...ORDERS, endpointId: 'stock-api' });
  const xml = (await site.read('agent-feed.xml')) ?? '';
  return { xml, feed: unwrap(decodeAgentFeed(xml)) };
}

clause(['AF-EN2', 'AF-EN4'], 'every entry has an id of its own, of the host and the time', async () => {
  const { feed } = await twoAnnounced();
  expect(feed.entries.map(({ id }) => id)).toEqual([`urn:af:api.example:${NOON}`, `urn:af:api.example:${NOON + 1}`]);
});

clause(['AF-EN6', 'AF-EN7', 'AF-EN11'], 'every entry has its type for a title, and names its signer', async () => {
  const { feed } = await twoAnnounced();
  expect(feed.entries).toHaveLength(2);
  for (const { title, type, signer, signatureType, hasSummary } of feed.entries) {
    expect({ title, type, signer, signatureType, hasSummary }).toEqual({
      title: 'endpoint-announcement',
      type: 'endpoint-announcement',
      signer: 'did:web:api.example#key-1',
      signatureType: 'ed25519',
      hasSummary: true,
    });
  }
});

clause(['AF-NS3', 'AF-VS1'], 'the feed has nothing of the namespace but what v0 knows', async () => {
  const { feed } = await twoAnnounced();
  expect(feed).toMatchObject({
    id: 'https://api.example/.well-known/agent-feed.xml',
    selfLink: 'https://api.example/.well-known/agent-feed.xml',
    author: 'api.example',
    specVersion: '0',
    feedStatus: 'active',
    unknownElements: [],
  });
  for (const { unknownElements } of feed.entries) expect(unknownElements).toEqual([]);
  expect(feed.migratedTo).toBeUndefined();
});

clause('AF-SG2', 'a signature stands without white space in and around it', async () => {
  const { xml } = await twoAnnounced();
  expect(xml.match(/<af:sig type="ed25519">[\w-]{86}<\/af:sig>/g)).toHaveLength(2);
});

clause(
  ['AF-EN9', 'AF-EN10', 'AF-G1'],
  'the content is the canonical payload, quotes literal, and its signature verifies',
  async () => {
    const site = await testSurface();
    await announceEndpoint(site.target, ORDERS);
    const reason = 'It\'s "over": a < b && c > d ]]> \u{1F600}\u2028\r\n\u0085';
    await deprecateEndpoint(site.target, { endpointId: 'orders-api', sunset: '2027-01-01T00:00:00Z', reason });
    const { entries } = await site.feed();
    for (const { content = '', contentType } of entries) {
      expect(contentType).toBe('application/json');
      expect(content).toBe(canonicalJson(JSON.parse(content)));
    }
    expect((await site.table()).find('orders-api')[0]?.deprecation?.reason).toBe(reason);
    expect(await site.read('agent-feed.xml')).toContain('"endpoint-id":"orders-api"');
  },
);

clause('AF-EN12', 'the signature covers the payload alone: all around it may change', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  const feed = await site.feed();
  const did = await site.did();
  const entry = feed.entries[0];
  if (entry === undefined) throw new Error('There is an entry.');
  const changed = {
    ...entry,
    id: 'urn:x:1',
    title: 'Other',
    updated: '1999-01-01T00:00:00Z',
    contentType: 'text/plain',
  };
  expect(
    verifiedTable(site.target.site, { ...feed, feedStatus: 'terminated', entries: [changed] }, did).records(),
  ).toHaveLength(1);
  expect(() =>
    verifiedTable(site.target.site, { ...feed, entries: [{ ...entry, content: `${entry.content} ` }] }, did),
  ).toThrow('verify');
});

clause(
  'AF-EN5',
  'updated is when the fact became true, in UTC, and the payload keeps the words that were given',
  async () => {
    const site = await testSurface();
    await announceEndpoint(site.target, { ...ORDERS, assertedAt: '2026-04-26T14:00:00.5+02:00' });
    const { entries } = await site.feed();
    expect(entries[0]).toMatchObject({ updated: '2026-04-26T12:00:00.500Z' });
    expect(entries[0]?.content).toContain('"asserted-at":"2026-04-26T14:00:00.5+02:00"');
  },
);

clause('AF-O2', 'an id may be the URL itself', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, { ...ORDERS, endpointId: ORDERS.endpoint });
  await changeSchema(site.target, { endpointId: ORDERS.endpoint, from: '1.0', to: '1.1', migration: {} });
  expect((await site.table()).records()).toMatchObject([{ endpointId: ORDERS.endpoint, version: '1.1' }]);
});

clause(
  ['AF-ST1', 'AF-ST2', 'AF-EN3'],
  'entries stand oldest first, and what was published keeps its bytes',
  async () => {
    const site = await testSurface();
    const seen: string[] = [];
    // The second claims an older time than the first: it stays second.
    for (const [index, assertedAt] of [
      '2026-04-27T12:00:00Z',
      '2020-01-01T00:00:00Z',
      '2026-04-27T12:00:01Z',
    ].entries()) {
      await announceEndpoint(site.target, { ...ORDERS, version: `1.${index}`, assertedAt });
      const xml = (await site.read('agent-feed.xml')) ?? '';
      const entries = xml.slice(xml.indexOf('  <entry>'), xml.indexOf('</feed>'));
      expect(entries.startsWith(seen.at(-1) ?? '')).toBe(true);
      seen.push(entries);
    }
    const before = await site.read('agent-feed.xml');
    expect((await initSurface(site.target)).written).toEqual([]);
    expect(await site.read('agent-feed.xml')).toBe(before);
    expect((await site.feed()).entries.map(({ updated }) => updated)).toEqual([
      '2026-04-27T12:00:00Z',
      '2020-01-01T00:00:00Z',
      '2026-04-27T12:00:01Z',
    ]);
  },
);

clause('AF-D4', 'a new publisher starts with an empty feed', async () => {
  const site = await testSurface();
  expect(await initSurface(site.target)).toMatchObject({ feedStatus: 'active', entries: 0 });
  expect(await site.feed()).toMatchObject({
    specVersion: '0',
    feedStatus: 'active',
    entries: [],
    updated: '2026-04-27T12:00:00Z',
  });
  expect((await site.did()).methods).toHaveLength(1);
  expect(JSON.parse((await site.read('agent-card.json')) ?? '')).toMatchObject({ agentFeed: { endpoints: [] } });
});

clause('AF-SN2', 'the card names what the feed says, after every kind of fact', async () => {
  const site = await testSurface();
  const endpoints = async () => JSON.parse((await site.read('agent-card.json')) ?? '').agentFeed.endpoints;
  await announceEndpoint(site.target, ORDERS);
  await announceEndpoint(site.target, { ...ORDERS, endpoint: '/v2/orders' });
  expect(await endpoints()).toMatchObject([
    { 'endpoint-id': 'orders-api', url: 'https://api.example/v2/orders', version: '1.0' },
  ]);
  await changeSchema(site.target, { endpointId: 'orders-api', from: '1.0', to: '1.1', migration: {} });
  await deprecateEndpoint(site.target, { endpointId: 'orders-api', sunset: '2027-01-01T00:00:00Z' });
  expect(await endpoints()).toMatchObject([{ version: '1.1', deprecated: { sunset: '2027-01-01T00:00:00Z' } }]);
});

clause('AF-SN1', 'a card that is there keeps all but our member, and its former URLs are told of', async () => {
  const site = await testSurface();
  const card =
    '{\n    "name": "Orders",\n    "big": 12345678901234567890, "one": 1.0,\n    "url": "https://api.example/orders",\n    "skills": [{"url": "/elsewhere"}]\n}\n';
  await site.write('agent-card.json', card);
  expect((await announceEndpoint(site.target, ORDERS)).warnings).toEqual([]);
  const merged = (await site.read('agent-card.json')) ?? '';
  expect(merged.startsWith(card.slice(0, -3))).toBe(true);
  expect(JSON.parse(merged)).toMatchObject({ name: 'Orders', agentFeed: { endpoints: [{ url: ORDERS.endpoint }] } });

  const { warnings } = await announceEndpoint(site.target, { ...ORDERS, endpoint: 'https://api.example/v2' });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(' /url.');
  await initSurface(site.target);
  expect((await site.read('agent-card.json'))?.match(/agentFeed/g)).toHaveLength(1);
});

test('a member of the card with our name that somebody else wrote is named before it is replaced', async () => {
  for (const member of ['"https://feeds.example/"', '{"url":"https://feeds.example/"}', '[1]', 'null']) {
    const site = await testSurface();
    await site.write('agent-card.json', `{"name":"A","agentFeed":${member}}`);
    expect((await announceEndpoint(site.target, ORDERS)).warnings).toEqual([
      expect.stringMatching(/agent-card\.json had a member "agentFeed" that is not of tidings.*It was: /),
    ]);
    expect((await announceEndpoint(site.target, { ...ORDERS, version: '2.0' })).warnings).toEqual([]);
  }
});

test('a card or a DID document that cannot be added to stops the command before anything is written', async () => {
  for (const [name, text] of [
    ['agent-card.json', '[]'],
    ['agent-card.json', '{"a":1,"a":2}'],
    ['did.json', '<html>'],
    ['did.json', '{"id":"did:web:other.example"}'],
    ['did.json', '{"verificationMethod":{}}'],
  ] as const) {
    const site = await testSurface();
    await site.write(name, text);
    await expect(announceEndpoint(site.target, ORDERS)).rejects.toMatchObject({
      name: 'SurfaceRefusedError',
      recovery: 'fix-input',
    });
    expect(await readdir(join(site.dir, '.well-known'))).toEqual([name]);
    expect(await site.read(name)).toBe(text);
  }
});

clause('AF-ST5', 'an id is never used again, and a record that contradicts the feed stops everything', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  const record = (await site.read('tidings/surface.ndjson')) ?? '';
  await announceEndpoint(site.target, { ...ORDERS, version: '2.0' });

  // An older record than the feed, as a backup gives it.
  await site.write('tidings/surface.ndjson', record);
  await contradicts(site);
  // The same id with another payload.
  const twin = await testSurface();
  await announceEndpoint({ ...twin.target, key: site.target.key }, { ...ORDERS, version: '9.9' });
  await site.write('tidings/surface.ndjson', (await twin.read('tidings/surface.ndjson')) ?? '');
  const xml = (await site.read('agent-feed.xml')) ?? '';
  await site.write('agent-feed.xml', xml.replace(/(<\/entry>\n).*(?=<\/feed>)/s, '$1'));
  expect((await site.feed()).entries).toHaveLength(1);
  await contradicts(site);
});

async function contradicts(site: TestSurface): Promise<void> {
  const before = await Promise.all(['tidings/surface.ndjson', 'agent-feed.xml'].map(site.read));
  await expect(announceEndpoint(site.target, { ...ORDERS, version: '3.0' })).rejects.toMatchObject({
    name: 'StateContradictionError',
    recovery: 'fix-input',
  });
  expect(await Promise.all(['tidings/surface.ndjson', 'agent-feed.xml'].map(site.read))).toEqual(before);
}

test('the record of another site, or a broken one, is refused', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  await expect(announceEndpoint({ ...site.target, site: 'https://other.example/' }, ORDERS)).rejects.toMatchObject({
    name: 'StateContradictionError',
  });
  await site.write('tidings/surface.ndjson', '{"kind":"key"');
  await expect(announceEndpoint(site.target, ORDERS)).rejects.toMatchObject({ name: 'StateCorruptError' });
});

test('a site that is no https origin is refused, and a private one is told of', async () => {
  const { target } = await testSurface();
  for (const site of [
    'http://api.example/',
    'https://api.example/docs/',
    'https://u:p@api.example/',
    'api.example',
    'http://localhost/',
  ]) {
    await expect(announceEndpoint({ ...target, site }, ORDERS), site).rejects.toMatchObject({
      name: 'SiteRefusedError',
    });
  }
  const local = { ...target, site: 'https://localhost:8443/' };
  const { warnings } = await announceEndpoint(local, { ...ORDERS, endpoint: 'https://localhost:8443/orders' });
  expect(warnings).toEqual([expect.stringContaining('private host')]);
});

test('secrets stay in the key file', async () => {
  const site = await testSurface();
  const { seed } = JSON.parse(await readFile(site.target.key, 'utf8')).keys[0] as { seed: string };
  const report = await announceEndpoint(site.target, ORDERS);
  const listed = await listSigningKeys({ key: site.target.key });
  const files = await Promise.all(
    ['did.json', 'agent-card.json', 'agent-feed.xml', 'tidings/surface.ndjson'].map(site.read),
  );
  expect(seed).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify([report, listed, files])).not.toContain(seed);
});

test('two at the same time do not get in the way of each other', async () => {
  const site = await testSurface();
  const all = await Promise.allSettled(
    [1, 2, 3].map((n) => announceEndpoint(site.target, { ...ORDERS, version: `${n}.0` })),
  );
  const done = all.filter(({ status }) => status === 'fulfilled');
  expect(done.length).toBeGreaterThan(0);
  for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'LogLockedError' });
  expect((await site.feed()).entries).toHaveLength(done.length);
});

test('what readers would refuse for its length is not signed', async () => {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  const before = await site.read('tidings/surface.ndjson');
  await expect(announceEndpoint(site.target, { ...ORDERS, version: 'x'.repeat(1025) })).rejects.toThrow(
    'more than 1024',
  );
  const migration = { add: Array.from({ length: 10_001 }, (_, at) => `/${at}`) };
  await expect(
    changeSchema(site.target, { endpointId: 'orders-api', from: '1.0', to: '1.1', migration }),
  ).rejects.toMatchObject({ name: 'SurfaceRefusedError', message: expect.stringContaining('more than') });
  const reason = 'x'.repeat(4097);
  await expect(
    deprecateEndpoint(site.target, { endpointId: 'orders-api', sunset: '2027-01-01T00:00:00Z', reason }),
  ).rejects.toThrow('more than 4096');
  expect(await site.read('tidings/surface.ndjson')).toBe(before);
});
