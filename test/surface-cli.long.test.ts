import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeAgentFeed } from '../src/codecs/agent-feed/decode-feed.ts';
import { decodeDidDocument, methodFor } from '../src/codecs/agent-feed/did-document.ts';
import { decodeSignature } from '../src/codecs/agent-feed/signature-text.ts';
import { verifySignature } from '../src/surface/ed25519.ts';
import { clause } from './clause.ts';
import { tidings } from './support/cli.ts';
import { temporaryFolder } from './support/site.ts';
import { tidingsHere } from './support/tidings-here.ts';

const SITE = 'https://api.example/';
const FEED = 'site/.well-known/agent-feed.xml';
const DID = 'site/.well-known/did.json';
const CARD = 'site/.well-known/agent-card.json';
const RECORD = 'site/.well-known/tidings/surface.ndjson';

/** A folder with a site in it, and the lines of a script that tells of its API. */
function publisher(run = tidingsHere) {
  const folder = temporaryFolder();
  const key = join(folder.path, 'key.json');
  const where = ['--dir', join(folder.path, 'site'), '--site', SITE, '--key', key];
  return {
    folder,
    key,
    path: (name: string) => join(folder.path, name),
    newKey: () => run('keys', 'new', '--key', key),
    surface: (verb: string, ...args: string[]) => run('surface', verb, ...where, ...args),
    announce: (id: string, ...args: string[]) =>
      run('surface', 'announce', ...where, ...announced(id), '--api-version', '1.0', ...args),
    feed: () => feedIn(folder.read(FEED)),
    /** The methods that signed the entries, each verified. */
    signers: () => signersOf(folder.read(FEED), folder.read(DID)),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const announced = (id: string) => ['--endpoint-id', id, '--endpoint', `${SITE}${id}`, '--protocol', 'rest'];

function feedIn(xml: string) {
  const decoded = decodeAgentFeed(xml);
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  return decoded.value;
}

function signersOf(xml: string, did: string): string[] {
  const document = decodeDidDocument(did, SITE);
  if (!document.ok) throw new Error(document.issues[0].message);
  return feedIn(xml).entries.map(({ id, content = '', signature = '', signer }) => {
    const found = methodFor(document.value, signer);
    const bytes = decodeSignature(signature);
    if (!found.ok || !bytes) throw new Error(`${id} has no signer.`);
    if (!verifySignature(found.method.publicKey, Buffer.from(content), bytes)) throw new Error(`${id} is not signed.`);
    return found.method.id;
  });
}

test('a script gets a key, an entry and an end, and what comes behind it is refused', async () => {
  using at = publisher(tidings);
  expect(await at.newKey()).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(at.key).mode & 0o777).toBe(0o600);
  expect(await at.announce('orders-api')).toMatchObject({ code: 0, stderr: '' });
  expect(at.signers()).toEqual(['did:web:api.example#key-1']);
  expect(await at.surface('terminate', '--yes')).toMatchObject({ code: 0 });
  expect(at.feed().feedStatus).toBe('terminated');
  expect(await at.announce('late')).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('for good') });
});

test('the life of a feed: every entry is verified under its signer, to the end', async () => {
  using at = publisher();
  expect(await at.newKey()).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(at.key).mode & 0o777).toBe(0o600);

  const first = await at.announce('orders-api');
  expect(first).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^urn:af:api\.example:\S+: orders-api/),
  });
  at.folder.write({ 'delta.json': '{"add":["/currency"],"rename":{"/amount":"/total"}}' });
  const versions = ['--endpoint-id', 'orders-api', '--from', '1.0', '--to', '1.1'];
  const changed = await at.surface('change', ...versions, '--migration', at.path('delta.json'), '--json');
  expect(changed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(changed.stdout)).toEqual({
    entryId: at.feed().entries[1]?.id,
    feedStatus: 'active',
    entries: 2,
    written: expect.arrayContaining(['.well-known/agent-feed.xml', '.well-known/agent-card.json']),
    warnings: [],
  });
  expect(JSON.parse(at.feed().entries[1]?.content ?? '')).toMatchObject({
    'to-version': '1.1',
    migration: { add: ['/currency'], rename: { '/amount': '/total' } },
  });

  await at.announce('orders-api-v2');
  const sunset = [
    '--sunset',
    '2027-01-01T00:00:00Z',
    '--replacement',
    'orders-api-v2',
    '--reason',
    'One "call" <each>.',
  ];
  expect(await at.surface('deprecate', '--endpoint-id', 'orders-api', ...sunset)).toMatchObject({ code: 0 });

  const before = at.folder.read(FEED);
  const where = ['--dir', at.path('site'), '--site', SITE];
  expect(await tidingsHere('keys', 'rotate', '--key', at.key, ...where)).toMatchObject({ code: 0 });
  expect(statSync(at.key).mode & 0o777).toBe(0o600);
  // Nothing is signed anew by that.
  expect(feedIn(at.folder.read(FEED)).entries).toEqual(feedIn(before).entries);
  expect(at.signers()).toEqual(Array(4).fill('did:web:api.example#key-1'));

  await at.announce('orders-api-v2', '--asserted-at', '2026-01-01T00:00:00Z');
  expect(at.signers().at(-1)).toBe('did:web:api.example#key-2');
  expect(at.feed().entries.at(-1)?.updated).toMatch(/^2026-01-01T00:00:00(\.0+)?Z$/);

  const archived = JSON.parse((await at.surface('archive', '--json')).stdout);
  expect(archived).toMatchObject({ archived: 1, entries: 4 });
  expect(at.signers()).toHaveLength(4);
  expect(at.folder.read(RECORD).match(/"kind":"entry"/g)).toHaveLength(5);

  expect(await at.surface('terminate', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('terminated'),
  });
  expect(at.feed().feedStatus).toBe('terminated');
  expect(at.signers()).toHaveLength(4);
  // For good.
  const late = await at.announce('late');
  expect(late).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('for good') });
});

test('a key file is made once, and its secret is never shown', async () => {
  using at = publisher();
  const made = await at.newKey();
  const first = at.folder.read('key.json');
  const again = await at.newKey();
  expect(again).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/never written over.*rotate/) });
  expect(at.folder.read('key.json')).toBe(first);

  const rotated = await tidingsHere('keys', 'rotate', '--key', at.key);
  const listed = await tidingsHere('keys', 'list', '--key', at.key);
  const json = await tidingsHere('keys', 'list', '--key', at.key, '--json');
  expect(listed.stdout).toMatch(/^key-1 .* retired\nkey-2 .* signs\n$/);
  expect(JSON.parse(json.stdout).keys).toMatchObject([
    { id: 'key-1', retired: true },
    { id: 'key-2', retired: false },
  ]);
  const secrets = [first, at.folder.read('key.json')].flatMap((text) => /"seed": "([\w-]{43})"/.exec(text)?.[1] ?? []);
  expect(new Set(secrets).size).toBe(2);
  const said = [made, again, rotated, listed, json].map(({ stdout, stderr }) => stdout + stderr).join('\n');
  for (const secret of secrets) expect(said).not.toContain(secret);
});

test('a card and a DID document that are there already are merged', async () => {
  using at = publisher();
  at.folder.write({
    [CARD]: '{"name":"Orders","skills":[{"id":"pay"}]}',
    [DID]: '{"id":"did:web:api.example","service":[{"id":"#site","type":"LinkedDomains"}]}',
  });
  await at.newKey();
  expect(await at.announce('orders-api')).toMatchObject({ code: 0 });
  expect(JSON.parse(at.folder.read(CARD))).toMatchObject({ name: 'Orders', skills: [{ id: 'pay' }] });
  expect(at.folder.read(CARD)).toContain(`${SITE}orders-api`);
  expect(JSON.parse(at.folder.read(DID))).toMatchObject({ service: [{ id: '#site' }] });
  expect(at.signers()).toEqual(['did:web:api.example#key-1']);
});

test('an empty feed can be begun, and moved', async () => {
  using at = publisher();
  await at.newKey();
  expect(JSON.parse((await at.surface('init', '--json')).stdout)).toMatchObject({ feedStatus: 'active', entries: 0 });
  expect(at.feed().entries).toEqual([]);
  const to = 'https://new.example/.well-known/agent-feed.xml';
  expect(await at.surface('migrate', '--to', to, '--yes')).toMatchObject({ code: 0 });
  expect(at.feed()).toMatchObject({ feedStatus: 'migrated', migratedTo: to });
});

const guide = readFileSync(new URL('../docs/guides/agent-feed.md', import.meta.url), 'utf8');

clause('AF-SC9', 'the guide tells operators of DNSSEC and certificate transparency', () => {
  expect(guide).toMatch(/DNSSEC/);
  expect(guide).toMatch(/certificate transparency/i);
});

clause(['AF-SC10', 'AF-SC1'], 'the guide has a table of what is mitigated and what is not', () => {
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('| ') && / \| (mitigated|not mitigated|in part) \| /.test(line));
  expect(rows.filter((row) => row.includes('| mitigated |')).length).toBeGreaterThan(3);
  expect(rows.filter((row) => row.includes('| not mitigated |')).length).toBeGreaterThan(3);
  expect(rows.find((row) => row.includes('sybil'))).toContain('not mitigated');
});

clause('AF-SC5', 'the guide tells servers to answer 429 with Retry-After', () => {
  expect(guide).toMatch(/`429` with `Retry-After`/);
});

clause('AF-PB1', 'the guide asks for HTTPS from the host itself, and a plain http site is refused', async () => {
  expect(guide).toMatch(/over HTTPS, from the host itself/);
  using at = publisher();
  await at.newKey();
  const where = ['--dir', at.path('site'), '--key', at.key, '--site', 'http://api.example/', '--force'];
  expect(await tidingsHere('surface', 'init', ...where)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('https'),
  });
});
