import { createPublicKey, verify } from 'node:crypto';
import { publicKeyOfSeed } from '../../src/surface/ed25519.ts';
import { type Attack, EVIL, type HonestSite } from '../support/agent-feed-attacks.ts';
import { testSeed } from '../support/agent-feed-origin.ts';
import { entryOf, FORGED, insertLast, littleEndian, replaced } from './altered.ts';

const PRIME = 2n ** 255n - 19n;

/** Faults of did.json, and a feed that makes use of them: its last entry is forged. */
export const IDENTITY: readonly Attack[] = [
  ofDid('that of another host', (text, { did }) => text.replaceAll(did, 'did:web:other.test'), 'did-malformed'),
  ofDid(
    'that of a host that begins the same',
    (text, { did }) => text.replaceAll(did, `${did}.evil.example`),
    'did-malformed',
  ),
  ofDid(
    'that of the same host at another port',
    (text, { did }) => replaced(text, did, did.replace(/%3A\d+/, '')),
    'did-malformed',
  ),
  ofDid('a path below the host', (text, { did }) => text.replaceAll(did, `${did}:user`), 'did-malformed'),
  ofDid(
    'an id in letters that look the same',
    (text) => text.replaceAll('api.example', 'аpi.example'),
    'did-malformed',
  ),
  ofDid('two ids', (text) => replaced(text, '{', '{"id":"did:web:other.test",'), 'did-malformed'),
  ofDid('no id', (text, { did }) => replaced(text, `"id":"${did}",`, ''), 'did-malformed'),
  ofDid('a list', (text) => `[${text}]`, 'did-malformed'),
  ofDid('HTML', () => '<!doctype html><title>Sign in</title>', 'did-malformed'),
  ofDid('cut off', (text) => text.slice(0, -1), 'did-malformed'),
  ofDid(
    'no methods',
    (text) => replaced(text, /"verificationMethod":\[.*\]/, '"verificationMethod":[]'),
    'did-malformed',
  ),
  ofDid(
    'another type of key',
    (text) => replaced(text, 'VerificationKey2020', 'VerificationKey2018'),
    'key-unresolvable',
  ),
  ofDid(
    'a key that someone else controls',
    (text, { did }) => replaced(text, `"controller":"${did}"`, '"controller":"did:web:other.test"'),
    'key-unresolvable',
  ),
  ofDid('a key of 31 bytes', (text) => withKey(text, Buffer.alloc(31, 7)), 'key-unresolvable'),
  ofDid(
    'a key of 34 bytes',
    (text) => withKey(text, Buffer.concat([Buffer.of(0xed, 1), keyOf(text)])),
    'key-unresolvable',
  ),
  ofDid('a key with padding', (text) => replaced(text, /(publicKeyMultibase":"[^"]+)/, '$1='), 'key-unresolvable'),
  ofDid('a key without its prefix', (text) => replaced(text, 'Multibase":"u', 'Multibase":"'), 'key-unresolvable'),
  {
    name: 'two methods of one name with different keys',
    identity: ({ identity }) => withMethod(identity, 'key-1', Buffer.alloc(32, 7)),
    leaves: [],
    event: 'key-unresolvable',
  },
  {
    name: 'a forged entry by a method of another type',
    identity: ({ identity }) =>
      replaced(withMethod(identity, 'weak', strangerKey()), /(#weak","type":")[^"]*/, '$1JsonWebKey2020'),
    feed: (site) =>
      insertLast(site, entryOf(site, site.signed('urn:new', 'endpoint-announcement', FORGED, 'stranger'), '#weak')),
    event: 'key-unresolvable',
  },
  {
    name: 'a forged entry by a key that only authenticates',
    identity: ({ identity }) =>
      replaced(
        identity,
        '{',
        `{"authentication":[{"id":"#weak","type":"Ed25519VerificationKey2020","publicKeyMultibase":"u${strangerKey().toString('base64url')}"}],`,
      ),
    feed: (site) =>
      insertLast(site, entryOf(site, site.signed('urn:new', 'endpoint-announcement', FORGED, 'stranger'), '#weak')),
    event: 'key-unresolvable',
  },
  ...smallOrderKeys().map(({ name, key }) => weakKey(name, key)),
];

/** Signed by the publisher's own key: a fault of its tools, or a trap. */
export const PAYLOADS: readonly Attack[] = [
  signedBadly('a member twice', FORGED.replace('{', '{"version":"1",')),
  signedBadly('a member twice, once escaped', FORGED.replace('{', '{"\\u0076ersion":"1",')),
  signedBadly('a member that is __proto__ twice', FORGED.replace('{', '{"__proto__":{},"__proto__":{},')),
  signedBadly('what is needed only in __proto__', `{"__proto__":${FORGED}}`),
  signedBadly('half of a surrogate pair', FORGED.replace('"9"', '"\\ud800"')),
  signedBadly('a list', `[${FORGED}]`),
  signedBadly('a text', JSON.stringify(FORGED)),
  signedBadly('null', 'null'),
  signedBadly('no JSON', `${FORGED}}`),
  signedBadly('nothing', ''),
  signedBadly('a number as version', FORGED.replace('"9"', '1e400')),
  signedBadly('a list as endpoint-id', FORGED.replace('"orders-api"', '["orders-api"]')),
  signedBadly('an object with toString', FORGED.replace('"rest"', '{"toString":"rest"}')),
  signedBadly('a script as endpoint', FORGED.replace(/https:\/\/[^"]*/, 'javascript:alert(1)//x')),
  signedBadly('a file as endpoint', FORGED.replace(/https:\/\/[^"]*/, 'file:///etc/passwd')),
  signedBadly('another host by //', FORGED.replace(/https:\/\/[^"]*/, `//${EVIL}.example/`)),
  signedBadly('another host by a backslash', FORGED.replace(/https:\/\/[^"]*/, `/\\\\${EVIL}.example/`)),
  signedBadly('a password in the endpoint', FORGED.replace('https://', 'https://user:secret@')),
  signedBadly('a date that is none', FORGED.replace('04-27', '02-31')),
  signedBadly('lists in lists', FORGED.replace('{', `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},`)),
  signedBadly(
    'what reads as two types',
    FORGED.replace('{', '{"announced-at":"2026-04-27T12:00:00Z","sunset":"2026-04-28T12:00:00Z",'),
  ),
];

function ofDid(name: string, edit: (text: string, site: HonestSite) => string, event: Attack['event']): Attack {
  return { name, identity: (site) => edit(site.identity, site), leaves: [], event };
}

function signedBadly(name: string, payload: string): Attack {
  const feed = (site: HonestSite) =>
    insertLast(site, entryOf(site, site.signed('urn:new', 'endpoint-announcement', payload)));
  return { name, feed, event: 'malformed-payload' };
}

/** A key that everybody can sign with, among those of the publisher. */
function weakKey(name: string, key: Buffer): Attack {
  return {
    name: `a forged entry by ${name}`,
    identity: ({ identity }) => withMethod(identity, 'weak', key),
    feed: (site) => {
      const { content, signature } = forge(key) ?? {};
      if (content === undefined || signature === undefined) throw new Error(`Nothing could be forged with ${name}.`);
      const entry = site.signed('urn:new', 'endpoint-announcement', content);
      return insertLast(site, entryOf(site, { ...entry, signature: signature.toString('base64url') }, '#weak'));
    },
    event: 'key-unresolvable',
  };
}

/** All points whose order divides 8, those included that are written with a number beyond the prime. */
function smallOrderKeys(): { readonly name: string; readonly key: Buffer }[] {
  const y8 = BigInt('0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7');
  const points = { 0: 0n, 1: 1n, 'p - 1': PRIME - 1n, y8, 'p - y8': PRIME - y8, p: PRIME, 'p + 1': PRIME + 1n };
  return Object.entries(points).map(([name, y]) => ({ name: `the key of y = ${name}`, key: littleEndian(y) }));
}

/** Without any secret: where S is 0, R need only be the right one of few points. */
function forge(key: Buffer): { readonly content: string; readonly signature: Buffer } | undefined {
  const publicKey = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]),
    format: 'der',
    type: 'spki',
  });
  for (let version = 0; version < 64; version += 1) {
    const content = FORGED.replace('"9"', `"${version}"`);
    for (const { key: point } of smallOrderKeys()) {
      const signature = Buffer.concat([point, Buffer.alloc(32)]);
      if (verify(null, Buffer.from(content), publicKey, signature)) return { content, signature };
    }
  }
  return undefined;
}

function strangerKey(): Buffer {
  return Buffer.from(publicKeyOfSeed(testSeed('stranger')));
}

function keyOf(identity: string): Buffer {
  return Buffer.from(/publicKeyMultibase":"u([^"]+)/.exec(identity)?.[1] ?? '', 'base64url');
}

function withKey(identity: string, key: Buffer): string {
  return replaced(identity, /(publicKeyMultibase":")[^"]+/, `$1u${key.toString('base64url')}`);
}

function withMethod(identity: string, name: string, key: Buffer): string {
  const method = {
    id: `#${name}`,
    type: 'Ed25519VerificationKey2020',
    publicKeyMultibase: `u${key.toString('base64url')}`,
  };
  return replaced(identity, /\]\}$/, `,${JSON.stringify(method)}]}`);
}
