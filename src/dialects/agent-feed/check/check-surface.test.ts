import { describe, expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import {
  type DraftEntry,
  type DraftSite,
  draftSite,
  filesOf,
  testKey,
  testMethod,
} from '../../../../test/support/agent-feed-site.ts';
import { NO_PARTS } from '../../../../test/support/check-parts.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { checkPlace } from '../../../check/check.ts';
import type { CheckReport } from '../../../check/check-report.ts';
import { createFolderSource } from '../../../check/folder-source.ts';
import { AGENT_FEED_CLAUSES } from '../../../codecs/agent-feed/clauses.ts';
import { canonicalJson } from '../../../codecs/primitives/canonical-json.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { AGENT_FEED } from '../agent-feed.ts';

const DID = 'did:web:api.example';
const NOW = Date.parse('2026-05-01T00:00:00Z');
type Files = Map<string, string | Uint8Array>;

async function checkFiles(files: Files): Promise<CheckReport> {
  const source = await createFolderSource({
    name: 'site',
    async read(path) {
      const file = files.get(path);
      return typeof file === 'string' ? new TextEncoder().encode(file) : file;
    },
  });
  const parts = { ...NO_PARTS, now: () => NOW, isPublicAddress: (literal: string) => !literal.startsWith('10.') };
  return await checkPlace(source, { dialects: [AGENT_FEED], parts });
}

async function checkSite(edit: Edit, editFiles: (files: Files) => void = () => {}) {
  const site = draftSite();
  edit(site);
  const files = filesOf(site);
  editFiles(files);
  return await checkFiles(files);
}

/** `AF-EN9`, or with its level where that is not the one of its clause. */
function told({ findings }: CheckReport): string[] {
  const levels = new Map(AGENT_FEED_CLAUSES.map(({ id, level }) => [id, level]));
  const names = findings.map(({ clause: id, level }) => (levels.get(id) === level ? id : `${id} ${level}`));
  return [...new Set(names)].sort();
}

type Edit = (site: DraftSite) => void;
const feed =
  (values: Partial<DraftSite['feed']>): Edit =>
  (site) =>
    Object.assign(site.feed, values);
/** The first entry announces what the third changes and the fourth deprecates. */
const entry =
  (values: Partial<DraftEntry>): Edit =>
  ({ entries }) =>
    Object.assign(entries[0], values);
/** The second one, which nothing depends on then: readers may lose it without further harm. */
const lone =
  (values: Partial<DraftEntry>): Edit =>
  ({ entries }) => {
    Object.assign(entries[1], values);
    entries[3].payload.replacement = null;
  };
const payload =
  (at: 0 | 1 | 2 | 3, values: Record<string, unknown>): Edit =>
  ({ entries }) => {
    if (at === 1) entries[3].payload.replacement = null;
    Object.assign(entries[at].payload, values);
    for (const [key, value] of Object.entries(values)) if (value === undefined) delete entries[at].payload[key];
  };
const migration = (delta: unknown) => payload(2, { migration: delta });
/** Another spelling of the payload, signed as it stands. */
const spelled =
  (at: 0 | 3, from: string | RegExp, to: string): Edit =>
  ({ entries }) => {
    entries[at].signed = canonicalJson(entries[at].payload).replace(from, to);
  };
const again =
  (at: 1 | 3, values: Partial<DraftEntry>, facts: Record<string, unknown> = {}): Edit =>
  ({ entries }) =>
    entries.push({ ...entries[at], ...values, payload: { ...entries[at].payload, ...facts } });
const did =
  (values: Record<string, unknown>): Edit =>
  (site) =>
    Object.assign(site.did, values);
const method = (values: Record<string, unknown>) =>
  did({ verificationMethod: [{ ...testMethod(DID, 'key-1'), ...values }] });
const twoKeys = did({ verificationMethod: [testMethod(DID, 'key-1'), testMethod(DID, 'key-2')] });
const both =
  (...edits: Edit[]): Edit =>
  (site) => {
    for (const edit of edits) edit(site);
  };
const migrated = (to: string) => feed({ status: 'migrated', extra: `<af:migrated-to>${to}</af:migrated-to>` });

test('a right surface has no findings at all, and every clause has a verdict or a reason', async () => {
  const report = await checkSite(() => {});
  expect(report.findings).toEqual([]);
  expect(report.clauses).toHaveLength(AGENT_FEED_CLAUSES.length);
  expect(
    report.clauses.filter(({ status, reason }) => status === 'not-checkable' && /looked at\.$/.test(reason ?? '')),
  ).toEqual([]);
  const passed = report.clauses.filter(({ status }) => status === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['AF-ID7', 'AF-G1', 'AF-EN9', 'AF-CJ1', 'AF-PD1', 'AF-PS2', 'AF-SN2']));
  expect(passed).not.toContain('AF-IA1');
  for (const { id, status } of report.clauses) {
    const role = AGENT_FEED_CLAUSES.find((each) => each.id === id)?.role;
    if (role === 'reader') expect([id, status]).toEqual([id, 'not-checkable']);
  }
});

describe('one defect gives its clause and no other', () => {
  const multicodec = `z${base58(Uint8Array.of(0xed, 0x01, ...testKey('key-1')))}`;
  const stranger = 'did:web:other.example';
  const newId = 'urn:af:api.example:1745755200005';

  test.each<[string, Edit, string[]]>([
    ['no id in did.json', did({ id: undefined }), ['AF-ID3']],
    ['another host in did.json', both(method({ controller: stranger }), did({ id: stranger })), ['AF-ID3']],
    ['no methods', did({ verificationMethod: [] }), ['AF-ID4']],
    ['methods that are no array', did({ verificationMethod: { id: 'x' } }), ['AF-ID4']],
    ['another type of key', method({ type: 'JsonWebKey2020' }), ['AF-ID5']],
    ['another controller', method({ controller: stranger }), ['AF-ID6']],
    ['no controller', method({ controller: undefined }), ['AF-ID6']],
    ['no key', method({ publicKeyMultibase: undefined }), ['AF-ID7']],
    ['a key of 31 bytes', method({ publicKeyMultibase: `f${'01'.repeat(31)}` }), ['AF-ID7']],
    ['a key in the 34-byte form', method({ publicKeyMultibase: multicodec }), ['AF-ID7']],
    ['a key that proves nothing', method({ publicKeyMultibase: `f${'00'.repeat(32)}` }), ['AF-ID7']],
    ['a key in no known base', method({ publicKeyMultibase: '?abc' }), ['AF-ID7']],

    ['another namespace', feed({ namespace: 'https://agent-feed.dev/ns/v1' }), ['AF-W2']],
    ['a namespace with a slash', feed({ namespace: 'https://agent-feed.dev/ns/v0/' }), ['AF-W2']],
    ['no spec-version', feed({ specVersion: undefined }), ['AF-VS1']],
    ['spec-version 0.1', feed({ specVersion: '0.1' }), ['AF-VS1']],
    ['no feed-status', feed({ status: undefined }), ['AF-FS1']],
    ['a status in upper case', feed({ status: 'Active' }), ['AF-FS1']],
    ['two statuses', feed({ extra: '<af:feed-status>terminated</af:feed-status>' }), ['AF-FS1']],
    ['migrated to nowhere', feed({ status: 'migrated' }), ['AF-FS5']],
    ['migrated to plain http', migrated('http://new.example/f.xml'), ['AF-FS5']],
    ['migrated to a private host', migrated('https://10.0.0.1/f.xml'), ['AF-FS5']],
    ['migrated to itself', migrated('https://api.example/.well-known/agent-feed.xml'), ['AF-FS5']],
    ['active and moved', both(migrated('https://new.example/f.xml'), feed({ status: 'active' })), ['AF-FS5 SHOULD']],
    ['an unknown element at feed level', feed({ extra: '<af:ttl>60</af:ttl>' }), ['AF-NS3']],
    ['a feed without id', feed({ id: undefined }), ['AF-W2']],
    ['a feed without title', feed({ title: undefined }), ['AF-W2']],
    ['a feed with a date only', feed({ updated: '2026-04-24' }), ['AF-W2']],
    ['no author', feed({ author: undefined }), ['AF-W2 MAY']],
    ['no link to itself', feed({ selfLink: undefined }), ['AF-W2 MAY']],
    ['a link to another host', feed({ selfLink: 'https://old.example/feed.xml' }), ['AF-W2 SHOULD']],

    ['no id', entry({ id: undefined }), ['AF-EN2']],
    ['an id that is no URI', entry({ id: 'entry 1' }), ['AF-EN2']],
    ['an id of another form', entry({ id: 'https://api.example/entries/1' }), ['AF-EN4']],
    ['an id with seconds', entry({ id: 'urn:af:api.example:1745755200' }), ['AF-EN4']],
    ['an id of another host', entry({ id: 'urn:af:api.example.evil.test:1745755200001' }), ['AF-EN4']],
    ['no updated', entry({ updated: undefined }), ['AF-EN5']],
    ['updated with an offset', entry({ updated: '2026-04-21T14:00:00+02:00' }), ['AF-EN5']],
    ['updated at another time than it claims', entry({ updated: '2026-04-21T18:00:00Z' }), ['AF-EN5 MAY']],
    ['no title', entry({ title: undefined }), ['AF-EN6']],
    ['another title', entry({ title: 'Our API!' }), ['AF-EN7']],
    ['an unknown type', lone({ type: 'status', title: 'status' }), ['AF-EN1']],
    ['no type', lone({ type: undefined }), ['AF-EN1']],
    ['an unknown element in an entry', entry({ extra: '<af:note>x</af:note>' }), ['AF-NS3']],

    ['another type of content', entry({ contentType: 'text' }), ['AF-EN9']],
    ['no JSON', lone({ signed: 'orders' }), ['AF-EN9']],
    ['a key twice', lone({ signed: '{"endpoint":"/a","endpoint":"/b"}' }), ['AF-EN9']],
    ['a list', lone({ signed: '[]' }), ['AF-EN9']],
    ['a comment in the content', lone({ contentXml: '{"a":1}<!-- x -->' }), ['AF-EN9']],
    ['an instruction in the content', lone({ contentXml: '{"a":1}<?x y?>' }), ['AF-EN9']],
    ['an element in the content', lone({ contentXml: '<b>{}</b>' }), ['AF-EN9']],
    ['two contents', lone({ extra: '<content type="application/json">{}</content>' }), ['AF-EN9']],
    ['two ids', lone({ extra: `<id>${newId}</id>` }), ['AF-EN2']],
    ['two types', lone({ extra: '<af:type>deprecation</af:type>' }), ['AF-EN1']],
    ['two signatures', lone({ extra: '<af:sig type="ed25519">x</af:sig>' }), ['AF-EN10']],
    ['two signers', lone({ extra: '<af:signer>#key-2</af:signer>' }), ['AF-EN11 MUST']],

    ['keys out of order', spelled(0, /^\{("asserted-at":"[^"]+"),(.*)\}$/, '{$2,$1}'), ['AF-CJ1', 'AF-EN9']],
    ['keys in the order of UTF-16', spelled(0, /\}$/, ',"😀":1,"｡":2}'), ['AF-CJ1', 'AF-EN9']],
    ['white space between tokens', spelled(0, ',', ', '), ['AF-CJ2', 'AF-EN9']],
    ['a line end around the content', spelled(0, /^(.*)$/, '\n$1\n'), ['AF-CJ2', 'AF-EN9']],
    ['an ASCII letter as escape', spelled(0, 'rest', '\\u0072est'), ['AF-CJ3', 'AF-EN9']],
    ['an escaped slash', spelled(0, '//', '\\/\\/'), ['AF-CJ3 MAY']],
    ['a long escape of a line end', spelled(3, 'jetzt', '\\u000a'), ['AF-CJ3', 'AF-EN9']],
    ['an escaped umlaut', spelled(3, 'Ü', '\\u00dc'), ['AF-CJ4', 'AF-EN9']],
    ['half of a surrogate pair', spelled(3, 'Ü', '\\ud83d'), ['AF-CJ4', 'AF-EN9']],
    ['a number beyond doubles', spelled(3, /\}$/, ',"z":1e999}'), ['AF-CJ5']],
    ['an integer that no double holds', spelled(0, /\}$/, ',"z":9007199254740993}'), ['AF-CJ6', 'AF-EN9']],
    ['an integer with a point', spelled(0, /\}$/, ',"z":1.0}'), ['AF-CJ7']],
    ['minus zero', spelled(0, /\}$/, ',"z":-0}'), ['AF-CJ7']],
    ['a number with a zero too many', spelled(0, /\}$/, ',"z":0.10}'), ['AF-CJ8']],
    ['a byte order mark', spelled(0, '{', '\uFEFF{'), ['AF-CJ11', 'AF-EN9']],

    ['no signature', entry({ signature: () => undefined }), ['AF-EN10']],
    ['another type of signature', entry({ signatureType: 'hmac' }), ['AF-EN10']],
    ['a padded signature', entry({ signature: (right) => `${right}==` }), ['AF-G1']],
    ['a short signature', entry({ signature: (right) => right.slice(0, 80) }), ['AF-G1']],
    ['a JWS', entry({ signature: (right) => `eyJhbGciOiJFZERTQSJ9..${right}` }), ['AF-G2']],
    ['white space in the signature', entry({ signature: (right) => `\n  ${right}\n` }), ['AF-SG2']],
    ['a signature of another key', entry({ key: 'key-9' }), ['AF-G1']],
    ['a signer that did.json does not have', entry({ signer: `${DID}#key-7` }), ['AF-EN11 MUST']],
    ['no signer beside one key', entry({ signer: undefined }), ['AF-EN11']],
    ['no signer beside two keys', both(twoKeys, entry({ signer: undefined })), ['AF-EN11 SHOULD']],
    ['the wrong signer of two', both(twoKeys, entry({ signer: `${DID}#key-2` })), ['AF-G1']],

    ['no endpoint-id', payload(1, { 'endpoint-id': undefined }), ['AF-PA1']],
    ['an endpoint that is no URL', payload(1, { endpoint: 'mcp/v1' }), ['AF-PA2']],
    ['no protocol', payload(1, { protocol: undefined }), ['AF-PA3']],
    ['a protocol in upper case', payload(0, { protocol: 'REST' }), ['AF-PA3 MAY']],
    ['a version that is a number', payload(1, { version: 1 }), ['AF-PA4']],
    ['asserted yesterday', payload(1, { 'asserted-at': 'yesterday' }), ['AF-PA5']],
    ['no to-version', payload(2, { 'to-version': undefined }), ['AF-PS1']],
    ['no effective-at', payload(2, { 'effective-at': undefined }), ['AF-PS3']],
    ['a migration that is a list', migration([]), ['AF-PS4']],
    ['add as an object', migration({ add: { '/a': 1 } }), ['AF-PS5 MUST']],
    ['a pointer with "#"', migration({ add: ['#/a'] }), ['AF-PS5 MUST']],
    ['a rename to no pointer', migration({ rename: { '/a': 'b' } }), ['AF-PS6 MUST']],
    ['a retype without "to"', migration({ retype: { '/a': { from: 'string' } } }), ['AF-PS7 MUST']],
    ['the type integer', migration({ retype: { '/a': { from: 'integer', to: 'null' } } }), ['AF-PS8']],
    ['a change of what is not announced', payload(2, { 'endpoint-id': 'stock' }), ['AF-PS2']],
    ['a deprecation of what is not announced', payload(3, { 'endpoint-id': 'stock' }), ['AF-PD1']],
    ['a deprecation without endpoint-id', payload(3, { 'endpoint-id': undefined }), ['AF-PD1']],
    ['no announced-at', payload(3, { 'announced-at': undefined }), ['AF-PD2']],
    ['a sunset that is a date', payload(3, { sunset: '2026-10-01' }), ['AF-PD3']],
    ['a URL as replacement', payload(3, { replacement: 'https://api.example/mcp' }), ['AF-PD4 SHOULD']],
    ['a replacement that is announced nowhere', payload(3, { replacement: 'later' }), ['AF-PD4']],
    ['a number as reason', payload(3, { reason: 7 }), ['AF-PD5 MUST']],

    ['the same entry twice', again(3, {}), ['AF-EN2']],
    ['an id for two facts', again(3, {}, { reason: null }), ['AF-ST5']],
    ['a signed payload under two ids', again(3, { id: newId }), ['AF-EN3']],
    ['one id for two protocols', again(1, { id: newId }, { protocol: 'a2a' }), ['AF-PA1']],
    ['newest first', (site) => site.entries.reverse(), ['AF-I7 SHOULD', 'AF-PD1', 'AF-PS2']],
    [
      'content that was reformatted',
      (site) => entry({ contentXml: JSON.stringify(site.entries[0].payload, null, 2) })(site),
      ['AF-CJ1', 'AF-CJ2', 'AF-EN9', 'AF-G1'],
    ],
    [
      'a payload that reads as two types',
      (site) => Object.assign(site.entries[3].payload, { ...site.entries[0].payload }),
      ['AF-EN1'],
    ],
    [
      'a private endpoint',
      both(payload(0, { endpoint: 'http://10.0.0.5/orders' }), (site) =>
        Object.assign(site, { card: ['http://10.0.0.5/orders', '/mcp'] }),
      ),
      ['AF-SC3'],
    ],
    [
      'a card without an announced URL',
      (site) => Object.assign(site, { card: { url: 'https://api.example/mcp' } }),
      ['AF-SN2'],
    ],
  ])('%s', async (_, edit, expected) => {
    const report = await checkSite(edit);
    expect(told(report)).toEqual(expected);
    for (const { where, seen, remedy } of report.findings) {
      expect(where).toMatch(/^site\/\.well-known\/[\w.-]+(?::\d+| verificationMethod\[0\])?$/);
      expect(seen.length).toBeGreaterThan(5);
      expect(remedy).toMatch(/\.$/);
    }
  });

  test.each<[string, (files: Files) => void, string[]]>([
    ['no did.json', (files) => files.delete('.well-known/did.json'), ['AF-ID1']],
    ['no feed', (files) => files.delete('.well-known/agent-feed.xml'), ['AF-W2']],
    ['no card', (files) => files.delete('.well-known/agent-card.json'), ['AF-W1']],
    [
      'a card at the root alone',
      (files) => {
        files.set('agent-card.json', '["/orders","/mcp"]');
        files.delete('.well-known/agent-card.json');
      },
      ['AF-W1'],
    ],
    ['HTML as did.json', (files) => files.set('.well-known/did.json', '<!doctype html><p>Hello'), ['AF-ID1']],
    [
      'a key twice in did.json',
      (files) => files.set('.well-known/did.json', `{"id":"${DID}","id":"${DID}"}`),
      ['AF-ID1'],
    ],
    [
      'did.json that is not UTF-8',
      (files) => files.set('.well-known/did.json', Uint8Array.of(0x7b, 0xff, 0x7d)),
      ['AF-ID1'],
    ],
    ['a deep did.json', (files) => files.set('.well-known/did.json', '['.repeat(100_000)), ['AF-ID1']],
    ['HTML as feed', (files) => files.set('.well-known/agent-feed.xml', '<!doctype html><html></html>'), ['AF-W2']],
    [
      'a feed that ends early',
      (files) => files.set('.well-known/agent-feed.xml', String(files.get('.well-known/agent-feed.xml')).slice(0, 900)),
      ['AF-W2'],
    ],
    [
      'a feed that is not UTF-8',
      (files) => files.set('.well-known/agent-feed.xml', Uint8Array.of(0xff, 0xfe, 0x3c)),
      ['AF-W2'],
    ],
    ['a deep feed', (files) => files.set('.well-known/agent-feed.xml', '<a>'.repeat(100_000)), ['AF-W2']],
    ['a card that is no JSON', (files) => files.set('.well-known/agent-card.json', 'hello'), ['AF-W1']],
    ['a deep card', (files) => files.set('.well-known/agent-card.json', '['.repeat(100_000)), ['AF-W1']],
    ['an empty card', (files) => files.set('.well-known/agent-card.json', ''), ['AF-W1']],
    ['the wrong type for the feed', (files) => files.set('_headers', headers({ feed: 'text/xml' })), ['AF-IA1']],
    ['the wrong type for the card', (files) => files.set('_headers', headers({ card: 'text/plain' })), ['AF-IA2']],
    ['the type of DIDs', (files) => files.set('_headers', headers({ did: 'application/did+json' })), ['AF-IA2 MAY']],
    ['no max-age', (files) => files.set('_headers', headers({ cache: 'no-cache' })), ['AF-PB2']],
    ['a max-age of a year', (files) => files.set('_headers', headers({ cache: 'max-age=31536000' })), ['AF-PB2 MAY']],
    ['right headers', (files) => files.set('_headers', headers({})), []],
  ])('%s', async (_, edit, expected) => {
    expect(told(await checkSite(() => {}, edit))).toEqual(expected);
  });
});

clause(
  ['AF-ID7', 'AF-K3'],
  'the 34-byte form of a key is explained, and its entries are verified all the same',
  async () => {
    const key = `f${Buffer.from(Uint8Array.of(0xed, 0x01, ...testKey('key-1'))).toString('hex')}`;
    const report = await checkSite(method({ publicKeyMultibase: key }));
    expect(report.findings).toMatchObject([
      { clause: 'AF-ID7', seen: expect.stringContaining('multicodec header ed01') },
    ]);
    expect(report.clauses).toContainEqual(expect.objectContaining({ id: 'AF-G1', status: 'pass' }));
  },
);

clause(['AF-EN9', 'AF-CJ2'], 'the first difference to the canonical form is shownValue', async () => {
  const report = await checkSite(spelled(0, ',', ', '));
  expect(report.findings.map(({ clause: id, where, seen }) => [id, where, seen])).toEqual([
    [
      'AF-EN9',
      'site/.well-known/agent-feed.xml:7',
      String.raw`It is not canonical JSON: "26-04-21T12:00:00Z\", \"endpoint\":\"https:/" instead of "26-04-21T12:00:00Z\",\"endpoint\":\"https://" at character 39.`,
    ],
    ['AF-CJ2', 'site/.well-known/agent-feed.xml:7', 'White space stands between tokens at character 39.'],
  ]);
  const spoiled = await checkSite(entry({ key: 'key-9' }));
  expect(spoiled.clauses.filter(({ id }) => id === 'AF-EN10' || id === 'AF-G1')).toMatchObject([
    { id: 'AF-G1', status: 'fail' },
    { id: 'AF-EN10', status: 'not-checkable' },
  ]);
});

clause(['AF-FS1', 'AF-FS3'], 'an ended feed is told of, and its card need not agree any more', async () => {
  const ended = await checkSite((site) => {
    site.feed.status = 'terminated';
    site.card = {};
  });
  expect(ended.findings).toEqual([]);
  expect(ended.notes?.[0]).toContain('Keep did.json');
  const moved = await checkSite((site) => {
    site.feed.status = 'migrated';
    site.feed.extra = '<af:migrated-to>https://new.example/.well-known/agent-feed.xml</af:migrated-to>';
  });
  expect(moved.findings).toEqual([]);
  expect(moved.notes?.[0]).toContain('https://new.example/');
});

clause(
  'AF-SN2',
  'an endpoint past its sunset need not be in the card, and a path there counts as its URL',
  async () => {
    const report = await checkSite((site) => {
      site.entries[3].payload.sunset = '2026-04-30T00:00:00Z';
      site.card = { paths: { '/mcp': {} } };
    });
    expect(report.findings).toEqual([]);
  },
);

test('a folder without any of the three documents holds nothing to check', async () => {
  await expect(checkFiles(new Map())).rejects.toThrow(UnreadableTargetError);
});

test('what is hostile is bounded: many bad entries, long texts, many methods', async () => {
  const long = 'x'.repeat(shortOrLong(10_000, 1_000_000));
  const many = await checkSite((site) => {
    const bad: DraftEntry = { ...site.entries[0], id: long, title: long, type: long, signer: long, updated: long };
    bad.extra = `<af:${long}/>`;
    for (let at = 0; at < 3; at += 1) site.entries.push(bad);
    for (let at = 0; at < 300; at += 1) {
      site.entries.push({
        ...site.entries[0],
        id: 'same',
        signed: `{"n":${at}`,
        signature: () => 'x',
        signer: `#${at}`,
      });
    }
    site.did.verificationMethod = Array.from({ length: 1000 }, () => testMethod(DID, 'key-1'));
  });
  expect(many.findings.length).toBeLessThan(200);
  expect(Math.max(...many.findings.map(({ seen }) => seen.length))).toBeLessThan(600);

  for (const json of ['null', '[]', '"x"', '{"id":{},"verificationMethod":[null,1,[]]}', '{"__proto__":{"id":1}}']) {
    const report = await checkSite(
      () => {},
      (files) => files.set('.well-known/did.json', json),
    );
    expect(report.findings.length).toBeGreaterThan(0);
  }
});

function headers({
  did = 'application/json',
  feed = 'application/atom+xml; charset=utf-8',
  card = 'application/json',
  cache = 'public, max-age=60',
}) {
  const rule = (path: string, type: string) =>
    `/.well-known/${path}\n  Content-Type: ${type}\n  Cache-Control: ${cache}\n`;
  return rule('did.json', did) + rule('agent-feed.xml', feed) + rule('agent-card.json', card);
}

function base58(bytes: Uint8Array): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let written = '';
  for (; value > 0n; value /= 58n) written = alphabet.charAt(Number(value % 58n)) + written;
  return written;
}
