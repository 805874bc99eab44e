import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TestSurface, testSurface } from '../../test/support/surface-site.ts';
import { createSigner, publicKeyOfSeed } from '../surface/ed25519.ts';
import { announceEndpoint, archiveEntries, initSurface, rotateSigningKey, terminateFeed } from './surface.ts';

const ORDERS = { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;
const SEARCH = { endpointId: 'search', endpoint: '/search', protocol: 'mcp', version: '1' } as const;
const RECORD = 'tidings/surface.ndjson';

async function announced(): Promise<TestSurface> {
  const site = await testSurface();
  await announceEndpoint(site.target, ORDERS);
  site.clock += 1000;
  await announceEndpoint(site.target, SEARCH);
  site.clock += 1000;
  return site;
}

/** In the record and in what was made from it. */
async function replaceEverywhere(site: TestSurface, from: RegExp, to: string): Promise<void> {
  for (const name of [RECORD, 'agent-feed.xml'])
    await site.write(name, ((await site.read(name)) ?? '').replace(from, to));
}

async function served(site: TestSurface): Promise<(string | undefined)[]> {
  return await Promise.all([RECORD, 'agent-feed.xml', 'agent-card.json', 'did.json'].map(site.read));
}

const forgeries: readonly [string, RegExp, string][] = [
  ['an endpoint that was changed behind the signature', /\/orders/g, '/evil'],
  ['signatures that sign nothing', /[\w-]{86}/g, 'A'.repeat(86)],
  [
    'an entry of a key that the record does not have',
    /("signer":"|<af:signer>)[^"<]*#key-1/g,
    '$1did:web:api.example#key-9',
  ],
];

test.each(forgeries)('nothing is made from a record with %s', async (_, from, to) => {
  const site = await announced();
  await replaceEverywhere(site, from, to);
  const before = await served(site);
  expect(before[0]).toContain(to.replace('$1', ''));
  const { target } = site;
  for (const command of [
    () => announceEndpoint(target, { ...ORDERS, version: '2.0' }),
    () => initSurface(target),
    () => archiveEntries(target),
    () => rotateSigningKey(target),
  ]) {
    await expect(command()).rejects.toMatchObject({
      name: 'StateCorruptError',
      recovery: 'fix-input',
      message: expect.stringMatching(/urn:af:api\.example:\d+ has a signature that does not verify/),
    });
  }
  expect(await served(site)).toEqual(before);
});

test('the kill switch leaves forged entries out, and keeps the record that had them', async () => {
  const site = await announced();
  await replaceEverywhere(site, /\/orders/g, '/evil');
  const forged = await site.read(RECORD);
  const { feedStatus, entries, warnings } = await terminateFeed(site.target);
  expect({ feedStatus, entries }).toEqual({ feedStatus: 'terminated', entries: 1 });
  expect(warnings).toEqual(
    expect.arrayContaining([expect.stringMatching(/urn:af:api\.example:\d+ .*does not verify/)]),
  );
  expect((await site.table()).records()).toMatchObject([{ endpointId: 'search' }]);
  expect(await site.read('agent-card.json')).not.toContain('evil');
  const [aside = ''] = (await readdir(join(site.dir, '.well-known/tidings'))).filter((name) => /damaged/.test(name));
  expect(await site.read(`tidings/${aside}`)).toBe(forged);
  expect(await terminateFeed(site.target)).toMatchObject({
    written: [],
    warnings: [expect.stringContaining('before')],
  });
});

test('of a large record each entry is verified', async () => {
  const site = await announced();
  // A test key.
  const seed = new Uint8Array(32).fill(7);
  const sign = createSigner(seed);
  const time = '2026-04-27T12:00:00Z';
  const id = 'did:web:api.example#key-1';
  const entries = Array.from({ length: 1500 }, (_, index) => {
    const content = `{"asserted-at":"${time}","endpoint":"/${index}","endpoint-id":"e${index}","protocol":"rest","version":"1"}`;
    const signature = Buffer.from(sign(Buffer.from(content))).toString('base64url');
    const entry = { kind: 'entry', id: `urn:af:api.example:${index}`, updated: time, type: 'endpoint-announcement' };
    return {
      ...entry,
      content: index === 1234 ? content.replace('/1234', '/evil') : content,
      signature,
      signer: id,
      time,
    };
  });
  const key = { kind: 'key', id, publicKey: Buffer.from(publicKeyOfSeed(seed)).toString('base64url'), time };
  await site.write(RECORD, [key, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(''));
  await site.write('agent-feed.xml', '');
  await expect(archiveEntries(site.target)).rejects.toThrow('the entry urn:af:api.example:1234 has a signature');
});
