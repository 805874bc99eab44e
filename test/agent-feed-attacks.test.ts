import { createPublicKey, verify } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FeedEntry } from '../src/codecs/agent-feed/encode-feed.ts';
import { createReader } from '../src/dialects/agent-feed/read/create-reader.ts';
import { MemoryReaderState } from '../src/dialects/agent-feed/read/memory-reader-state.ts';
import { publicKeyOfSeed } from '../src/surface/ed25519.ts';
import { clause } from './clause.ts';
import { type Attack, EVIL, effectsOf, type HonestSite } from './support/agent-feed-attacks.ts';
import { announcement, DID, FEED, openAgentFeedLab, type Served, testSeed } from './support/agent-feed-origin.ts';
import { PLANTED } from './support/agent-feed-planted.ts';

const FORGED = `{"asserted-at":"2026-04-27T12:00:00Z","endpoint":"https://${EVIL}.example/","endpoint-id":"orders-api","protocol":"rest","version":"9"}`;
const NEW_FACT = {
  'endpoint-id': 'orders-api',
  endpoint: '/evil',
  protocol: 'rest',
  version: '9',
  'asserted-at': '2026-04-28T12:00:00Z',
};
/** The order of the group that Ed25519 signs in (RFC 8032 §5.1), and the prime of its field. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const PRIME = 2n ** 255n - 19n;
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** What stands in the first entry is changed, and the signature is not. */
const SIGNED_TEXT: readonly Attack[] = [
  inFirst('another URL in the payload', '"/orders"', '"/evil"'),
  inFirst('one letter less', '"1.0"}', '"1"}'),
  inFirst('a blank before the payload', '>{"asserted', '> {"asserted'),
  inFirst('a line end after the payload', '}</content>', '}\n</content>'),
  inFirst('a tab by its number after the payload', '}</content>', '}&#9;</content>'),
  inFirst('white space between members', '","', '", "'),
  inFirst(
    'members in another order',
    '"endpoint":"/orders","endpoint-id":"orders-api"',
    '"endpoint-id":"orders-api","endpoint":"/orders"',
  ),
  inFirst('a member more', '"version"', `"x":"${EVIL}","version"`),
  inFirst('a member twice', '"version"', '"version":"9","version"'),
  inFirst('a letter written as an escape', '"/orders"', '"\\u002forders"'),
  inFirst('a letter that looks the same', '"/orders"', '"/оrders"'),
  inFirst('the same letter composed otherwise', '"rest"', '"rest\u0301"'),
  inFirst('a soft hyphen', '"/orders"', '"/ord\u00aders"'),
  inFirst('a comment in the payload', '"/orders"', '"/<!-- -->orders"'),
  inFirst('a comment that hides a part', '"/orders"', '"/orders<!--"/evil-->"'),
  inFirst('a processing instruction in the payload', '"/orders"', '"/<?x y?>orders"'),
  inFirst('an element in the payload', '"/orders"', '"/<b xmlns="">orders</b>"'),
  inFirst('an empty element in the payload', '"/orders"', '"/<x/>orders"'),
  inFirst(
    'the payload in Base64, as RFC 4287 has it',
    /<content[^>]*>(.*?)<\/content>/,
    (_, text: string) => `<content type="application/json">${Buffer.from(text).toString('base64')}</content>`,
  ),
  inFirst(
    'a payload elsewhere, by src',
    /<content[^>]*>.*?<\/content>/,
    '<content type="application/json" src="/evil.json"/>',
  ),
  inFirst(
    'an XInclude for the payload',
    /(<content[^>]*>).*?(<\/content>)/,
    '$1<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="/evil.json"/>$2',
  ),
  inFirst('a second content behind it', '</content>', `</content><content type="application/json">${FORGED}</content>`),
  inFirst('a second content before it', '<content', `<content type="application/json">${FORGED}</content><content`),
  inFirst('the payload of another in its place', /(<content[^>]*>).*?(<\/content>)/, `$1${FORGED}$2`),
];

const SIGNATURES: readonly Attack[] = [
  inSignature('no signature at all', () => ''),
  inSignature('64 zero bytes', () => Buffer.alloc(64).toString('base64url')),
  inSignature('padding', (text) => `${text}==`),
  inSignature('a suffix', (text) => `${text}A`),
  inSignature('a point and more behind it', (text) => `${text}.${text}`),
  inSignature('a letter less', (text) => text.slice(0, -1)),
  inSignature('left-over bits that are not zero', (text) => text.slice(0, -1) + nextLetter(text.at(-1) ?? '')),
  inSignature('Base64 with + and /', (text) => Buffer.from(text, 'base64url').toString('base64')),
  inSignature('hexadecimal', (text) => Buffer.from(text, 'base64url').toString('hex')),
  inSignature('a letter that looks the same', (text) => `${text.slice(0, 40)}а${text.slice(41)}`),
  inSignature('a no-break space inside', (text) => `${text.slice(0, 40)}\u00a0${text.slice(40)}`),
  inSignature('S + L instead of S', malleable),
  inSignature('one bit in R', (text) => flipBit(text, 3)),
  inSignature('one bit in S', (text) => flipBit(text, 40)),
  inSignature('the highest bit of S', (text) => flipBit(text, 63, 0x80)),
  inSignature('that of another entry', (_, site) => site.entries[4]?.signature ?? ''),
  inSignature(
    'one by a key that is not in did.json',
    (_, site) => site.signed('x', 'x', site.entries[0]?.content, 'stranger').signature,
  ),
  inSignature('a comment inside', (text) => `${text.slice(0, 40)}<!-- -->${text.slice(40)}`),
  inFirst('two signatures', /(<af:sig.*?<\/af:sig>)/, '$1$1'),
  inFirst('another kind of signature', 'type="ed25519"', 'type="none"'),
  inFirst('a signature of another namespace', /af:sig/g, 'evil:sig', {
    xmlns: 'xmlns:evil="https://evil.example/ns/v0"',
  }),
  inFirst('a signer that nobody has', '#key-1<', '#key-9<', 'key-unresolvable'),
  inFirst('a signer of another host', /<af:signer>.*?#/, '<af:signer>did:web:other.test#', 'key-unresolvable'),
  inFirst(
    'a signer named like a member of all objects',
    /<af:signer>.*?</,
    '<af:signer>__proto__<',
    'key-unresolvable',
  ),
  inFirst('an empty signer', /<af:signer>.*?</, '<af:signer><', 'key-unresolvable'),
  inFirst('a bare hash as signer', /<af:signer>.*?</, '<af:signer>#<', 'key-unresolvable'),
  inFirst('two signers', /(<af:signer>.*?<\/af:signer>)/, '$1<af:signer>#key-1</af:signer>'),
];

/** Payloads that the publisher did sign, told otherwise than it told them. */
const TOLD_OTHERWISE: readonly Attack[] = [
  again('an old payload under a fresh id, last', 'urn:entry:6'),
  again('an old payload under an id with a letter that looks the same', 'urn:еntry:1'),
  again('an old payload under its id with a blank inside', 'urn:entry: 1'),
  again('an old payload under its id with a zero-width space', 'urn:entry:1\u200b'),
  again('an old payload under its id in upper case', 'URN:ENTRY:1'),
  again('an old payload under the id of a member of all objects', '__proto__'),
  again('an old payload under the id of a later entry, last', 'urn:entry:5', 'replay-mismatch'),
  { name: 'the whole entry again, last', feed: (site) => insertLast(site, site.entryXml(0)) },
  { name: 'the whole feed twice', feed: (site) => site.feedOf([...site.entries, ...site.entries]) },
  {
    name: 'an old payload without an id',
    feed: (site) => insertLast(site, replaced(site.entryXml(0), /<id>.*?<\/id>/, '')),
    event: 'unverified-entry',
  },
  {
    name: 'an old payload with two ids',
    feed: (site) => insertLast(site, replaced(site.entryXml(0), '<id>', '<id>urn:new</id><id>')),
    event: 'unverified-entry',
  },
  retyped('an announcement as a deprecation', 0, 'deprecation'),
  retyped('an announcement as a schema-change', 0, 'schema-change'),
  retyped('a deprecation as an announcement', 3, 'endpoint-announcement'),
  retyped('a deprecation as a schema-change', 3, 'schema-change'),
  retyped('a schema-change as a deprecation', 1, 'deprecation'),
  retyped('a schema-change as an announcement', 1, 'endpoint-announcement'),
  retyped('a type in upper case', 3, 'DEPRECATION', 'unknown-entry-type'),
  retyped('a type of a later version', 0, 'endpoint-announcement-v1', 'unknown-entry-type'),
  retyped('a type named like a member of all objects', 0, 'constructor', 'unknown-entry-type'),
  retyped('no type', 0, '', 'unknown-entry-type'),
  {
    name: 'two types',
    feed: (site) => inEntry(site, 3, '<af:type>', '<af:type>endpoint-announcement</af:type><af:type>'),
    leaves: [0, 1, 2, 4],
    event: 'unverified-entry',
  },
  {
    name: 'the dates of entries turned round',
    feed: (site) => inEntry(site, 0, /<updated>.*?</, '<updated>2030-01-01T00:00:00Z<'),
  },
  { name: 'a date that is none', feed: (site) => inEntry(site, 4, /<updated>.*?</, '<updated>yesterday<') },
  { name: 'no title and no summary', feed: (site) => site.xml.replaceAll(/ *<(title|summary)>.*?<\/\1>\n/g, '') },
  { name: 'a summary that says something else', feed: (site) => inEntry(site, 4, 'A fact.', FORGED) },
  {
    name: 'another base for paths',
    feed: (site) => replaced(site.xml, '<feed ', '<feed xml:base="https://evil.example/" '),
  },
  {
    name: 'another base for one entry',
    feed: (site) => inEntry(site, 0, '<content', '<content xml:base="https://evil.example/"'),
  },
  { name: 'another link to itself, another id', feed: (site) => site.xml.replaceAll(site.url, 'https://evil.example') },
  { name: 'the order turned round', feed: (site) => site.feedOf(site.entries.toReversed()), leaves: [4, 3, 2, 1, 0] },
  {
    name: 'an entry taken away',
    feed: (site) => site.feedOf(site.entries.slice(1)),
    leaves: [1, 2, 3, 4],
    event: { known: 'entries-absent' },
  },
  { name: 'all entries taken away', feed: (site) => site.feedOf([]), leaves: [], event: { known: 'entries-absent' } },
];

const MARKUP: readonly Attack[] = [
  smuggled('an entry inside an entry', (evil) => `<entry>${evil}</entry>`, { into: 4 }),
  smuggled('an entry inside atom:source', (evil) => `<source>${evil}</source>`, { into: 4 }),
  smuggled('an entry inside a foreign element', (evil) => `<x xmlns="urn:x">${evil}</x>`),
  smuggled('a feed inside the feed', (evil) => `<feed>${evil}</feed>`),
  smuggled('an entry of no namespace', (evil) => replaced(evil, '<entry>', '<entry xmlns="">')),
  smuggled('an entry of another namespace', (evil) =>
    replaced(evil, '<entry>', '<entry xmlns="http://purl.org/atom/ns#">'),
  ),
  smuggled(
    'an entry with a prefix of another meaning',
    (evil) => replaced(evil, '<entry>', '<entry xmlns:af="urn:x">'),
    { event: 'unverified-entry' },
  ),
  smuggled('an entry in a comment', (evil) => `<!--${evil}-->`),
  smuggled('an entry in CDATA', (evil) => `<![CDATA[${evil}]]>`),
  smuggled('an entry in a processing instruction', (evil) => `<?x ${evil}?>`),
  whole('a DOCTYPE with an entity', (xml) => replaced(xml, '?>\n', `?>\n<!DOCTYPE feed [<!ENTITY e "${EVIL}">]>\n`)),
  whole('an external DTD', (xml) => replaced(xml, '?>\n', '?>\n<!DOCTYPE feed SYSTEM "https://evil.example/x.dtd">\n')),
  whole('entities in entities', (xml) =>
    replaced(xml, '?>\n', '?>\n<!DOCTYPE f [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>\n'),
  ),
  whole('an entity that nobody defines', (xml) => replaced(xml, 'Surface', '&evil;')),
  whole('the second half cut off', (xml) => xml.slice(0, xml.length / 2)),
  whole('the end cut off', (xml) => replaced(xml, '</feed>', '')),
  whole('something behind the end', (xml) => `${xml}<entry/>`),
  whole('a second feed behind the first', (xml) => xml + xml.slice(xml.indexOf('<feed'))),
  whole('100,000 elements in each other', (xml) => replaced(xml, '</feed>', `${'<x>'.repeat(100_000)}</feed>`)),
  whole('another root', (xml) => xml.replaceAll('feed', 'rss')),
  whole('another namespace', (xml) => xml.replaceAll('http://www.w3.org/2005/Atom', 'http://www.w3.org/2005/atom')),
  whole('the namespace of a later version', (xml) => xml.replaceAll('agent-feed.dev/ns/v0', 'agent-feed.dev/ns/v1')),
  whole('a NUL', (xml) => replaced(xml, 'Surface', 'Sur\0face')),
  {
    name: 'bytes that are no UTF-8',
    feed: ({ xml }) => Buffer.concat([Buffer.from(xml), Buffer.of(0xff)]),
    leaves: [],
    event: 'feed-malformed',
  },
  { name: 'UTF-16', feed: ({ xml }) => Buffer.from(`\uFEFF${xml}`, 'utf16le'), leaves: [], event: 'feed-malformed' },
  { name: 'a byte-order mark', feed: ({ xml }) => `\uFEFF${xml}` },
  { name: 'other prefixes', feed: ({ xml }) => xml.replaceAll('af:', 'zz:').replaceAll('xmlns:af', 'xmlns:zz') },
  {
    name: 'CDATA around the payload',
    feed: (site) => inEntry(site, 0, /(<content[^>]*>)(.*?)(<\/content>)/, '$1<![CDATA[$2]]>$3'),
  },
  {
    name: 'numbers for letters of the payload',
    feed: (site) => inEntry(site, 0, '"/orders"', '&#34;&#x2F;orders&quot;'),
  },
  {
    name: 'white space around what is not signed',
    feed: (site) => inEntry(site, 0, /<(id|af:type|af:signer)>(.*?)</g, '<$1>\n $2\t<'),
  },
  { name: 'white space in the signature', feed: (site) => inEntry(site, 0, /(<af:sig [^>]*>.{20})/, '$1\n  ') },
];

const STATUS: readonly Attack[] = [
  { name: 'terminated', feed: withStatus('terminated'), leaves: [], event: 'terminated', silences: 'for good' },
  {
    name: 'a status that nobody knows',
    feed: withStatus('paused'),
    leaves: [],
    event: 'terminated',
    silences: 'for good',
  },
  { name: 'an empty status', feed: withStatus(''), leaves: [], event: 'terminated', silences: 'for good' },
  { name: 'active in upper case', feed: withStatus('ACTIVE'), leaves: [], event: 'terminated', silences: 'for good' },
  {
    name: 'active and terminated',
    feed: ({ xml }) => replaced(xml, '<af:feed-status>', '<af:feed-status>terminated</af:feed-status><af:feed-status>'),
    leaves: [],
    event: 'terminated',
    silences: 'for good',
  },
  {
    name: 'migrated to another owner',
    feed: migratedTo('https://evil.test/'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to plain http',
    feed: migratedTo('http://x.api.example/'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to a script',
    feed: migratedTo('javascript:alert(1)'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to an address',
    feed: migratedTo('https://127.0.0.1/'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to itself',
    feed: (site) => migratedTo(site.url)(site),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'a version to come',
    feed: withVersion('1'),
    leaves: [],
    event: 'unsupported-spec-version',
    silences: 'for now',
  },
  {
    name: 'a version of many digits',
    feed: withVersion('99999999999999999999'),
    leaves: [],
    event: 'unsupported-spec-version',
    silences: 'for now',
  },
  whole('a version below 0', (xml) => replaced(xml, 'version>0', 'version>-1')),
  whole('a version in other digits', (xml) => replaced(xml, 'version>0', 'version>٠')),
  whole('no version', (xml) => replaced(xml, /<af:spec-version>.*?<\/af:spec-version>/, '')),
  whole('two versions', (xml) =>
    replaced(xml, '<af:spec-version>', '<af:spec-version>1</af:spec-version><af:spec-version>'),
  ),
  whole('no status', (xml) => replaced(xml, /<af:feed-status>.*?<\/af:feed-status>/, '')),
  whole('a status of another namespace', (xml) => xml.replaceAll('af:feed-status', 'feed-status')),
];

/** Faults of did.json, and a feed that makes use of them: its last entry is forged. */
const IDENTITY: readonly Attack[] = [
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
const PAYLOADS: readonly Attack[] = [
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

const ANSWERS: readonly Attack[] = [
  answered('304 that nobody asked for', FEED, () => ({ status: 304 }), 'feed-unreachable'),
  answered('304 for did.json', DID, () => ({ status: 304 }), 'did-unreachable'),
  answered('206 with a part', FEED, ({ xml }) => ({ status: 206, body: xml }), 'feed-unreachable'),
  answered('203 from a proxy', FEED, ({ xml }) => ({ status: 203, body: xml }), 'feed-unreachable'),
  answered('404 with a feed', FEED, (site) => ({ status: 404, body: site.feedOf([]) }), 'feed-unreachable'),
  answered('500 with a feed', FEED, ({ xml }) => ({ status: 500, body: xml }), 'feed-unreachable'),
  answered(
    '200 with HTML',
    FEED,
    () => ({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in' }),
    'feed-malformed',
  ),
  answered('200 with nothing', FEED, () => ({ body: '' }), 'feed-malformed'),
  answered(
    'a redirect to another host',
    FEED,
    ({ url }) => redirect(url.replace('api.example', 'other.test')),
    'feed-unreachable',
  ),
  answered('a redirect to a sister host', FEED, ({ url }) => redirect(url.replace('//', '//x.')), 'feed-unreachable'),
  answered('a redirect to plain http', FEED, ({ url }) => redirect(url.replace('https', 'http')), 'feed-unreachable'),
  answered(
    'a redirect to a file',
    FEED,
    () => ({ status: 302, headers: { location: 'file:///etc/passwd' } }),
    'feed-unreachable',
  ),
  answered('a redirect in a circle', FEED, ({ url }) => redirect(url), 'feed-unreachable'),
  answered(
    'a redirect of did.json to another host',
    DID,
    ({ url }) => redirect(url.replace('api.example', 'other.test'), DID),
    'did-unreachable',
  ),
  answered(
    'less than it promises',
    FEED,
    ({ xml }) => ({ headers: { 'content-length': String(xml.length + 10), connection: 'close' }, body: xml }),
    'feed-unreachable',
  ),
  answered(
    'more than it promises',
    FEED,
    ({ xml }) => ({ headers: { 'content-length': String(xml.length - 10), connection: 'close' }, body: xml }),
    'feed-unreachable',
  ),
  answered('gzip of 64 MB', FEED, () => ({ headers: { 'content-encoding': 'gzip' }, body: BOMB }), 'feed-unreachable'),
  answered(
    'did.json of 64 MB',
    DID,
    () => ({ headers: { 'content-encoding': 'gzip' }, body: BOMB }),
    'did-unreachable',
  ),
  answered(
    'gzip that is none',
    FEED,
    ({ xml }) => ({ headers: { 'content-encoding': 'gzip' }, body: xml }),
    'feed-unreachable',
  ),
  answered(
    'a kind of compression that nobody knows',
    FEED,
    ({ xml }) => ({ headers: { 'content-encoding': 'evil' }, body: xml }),
    'feed-unreachable',
  ),
  {
    name: 'another charset in the header',
    serve: (site) => site.put(FEED, { headers: { 'content-type': 'text/xml; charset=utf-7' }, body: site.xml }),
  },
];

const GROUPS: readonly (readonly [string, readonly Attack[]])[] = [
  ['on the signed text', SIGNED_TEXT],
  ['on the signature and the signer', SIGNATURES],
  ['with what the publisher did sign', TOLD_OTHERWISE],
  ['with markup', MARKUP],
  ['with what the feed says of itself', STATUS],
  ['with did.json', IDENTITY],
  ['with payloads that mean nothing', PAYLOADS],
  ['with the answers of a server', ANSWERS],
];

clause(['AF-V7', 'AF-U1'], 'there are attacks on every part of what is not signed', () => {
  const names = GROUPS.flatMap(([group, attacks]) => attacks.map(({ name }) => `${group}: ${name}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(150);
});

test.each(GROUPS)('nothing is wrongly applied by attacks %s', async (_, attacks) => {
  const lab = await openAgentFeedLab();
  const effects: Record<string, readonly string[]> = {};
  for (const attack of attacks) {
    const problems = await effectsOf(lab, attack);
    if (problems.length > 0) effects[attack.name] = problems;
  }
  expect(effects).toEqual({});
});

test.each([1, 2])('of a large feed nothing but what is signed is applied, with cores: %i', async (cores) => {
  const lab = await openAgentFeedLab();
  const origin = lab.origin('api.example');
  const entries = Array.from({ length: 600 }, (_, at) => {
    const entry = announcement(`urn:${at}`, { 'endpoint-id': `api-${at}`, endpoint: `/${at}` });
    return at % 3 === 0 ? { ...entry, key: 'stranger', signer: '#key-1' } : entry;
  });
  origin.publish({ entries });
  const state = new MemoryReaderState();
  await using reader = createReader({ http: lab.http, state, now: () => lab.clock.nowMs, cores });
  const report = await reader.ingest(origin.url);
  expect(report).toMatchObject({ applied: 400, skipped: 200 });
  const learned = (await state.factsOf(report.feedUrl, 0, 1000)).map(({ entryId }) => entryId);
  expect(learned).toEqual(entries.flatMap(({ id }, at) => (at % 3 === 0 ? [] : id)));
});

test('an id that an attacker used for an old payload is still free for the entry of the publisher', async () => {
  const lab = await openAgentFeedLab();
  const origin = lab.origin('api.example');
  const reader = lab.reader();
  const first = announcement('urn:1');
  const next = announcement('urn:2', { version: '2.0' });
  origin.publish({ entries: [first, { ...first, id: next.id }] });
  expect((await reader.ingest(origin.url)).events).toMatchObject([{ event: 'repeated-payload', entryId: 'urn:2' }]);
  origin.publish({ entries: [first, next] });
  const report = await reader.ingest(origin.url, { refresh: true });
  expect(report).toMatchObject({ applied: 1, lastSeen: 'urn:2', endpoints: [{ version: '2.0' }] });
});

/** Which of the attacks finds out that a defence is lacking. */
const FOUND_OUT: readonly (readonly [string, string])[] = [
  ['verifies no signature', 'another URL in the payload'],
  ['takes loose Base64', 'padding'],
  ['trims the signed text', 'a blank before the payload'],
  ['passes over comments', 'a comment in the payload'],
  ['guesses the type', 'a deprecation as an announcement'],
  ['sorts by date', 'the dates of entries turned round'],
  ['takes every status for active', 'terminated'],
  ['takes every version for its own', 'a version to come'],
  ['takes the DID document of anybody', 'that of the same host at another port'],
  ['finds entries wherever they stand', 'an entry inside a foreign element'],
  ['forgets which payloads it had', 'an old payload under a fresh id, last'],
  ['forgets which entries it had', 'a byte-order mark'],
];

test.each(FOUND_OUT)('a reader that %s is found out', async (defect, name) => {
  const lab = await openAgentFeedLab();
  const attack = GROUPS.flatMap(([, attacks]) => attacks).find((each) => each.name === name);
  const makeReader = PLANTED[defect];
  if (attack === undefined || makeReader === undefined) throw new Error('There is no such attack or no such reader.');
  expect(await effectsOf(lab, {}, makeReader)).toEqual([]);
  expect(await effectsOf(lab, attack, makeReader)).not.toEqual([]);
});

/** What is written in the first entry is written otherwise. */
function inFirst(
  name: string,
  from: string | RegExp,
  to: string | ((...groups: string[]) => string),
  how: Attack['event'] | { readonly xmlns: string } = 'unverified-entry',
): Attack {
  const xmlns = typeof how === 'object' && 'xmlns' in how ? how.xmlns : undefined;
  return {
    name,
    feed: (site) => {
      const xml = inEntry(site, 0, from, to);
      return xmlns === undefined ? xml : replaced(xml, '<feed ', `<feed ${xmlns} `);
    },
    leaves: [1, 2, 3, 4],
    event: typeof how === 'string' ? how : 'unverified-entry',
  };
}

function inSignature(name: string, write: (text: string, site: HonestSite) => string): Attack {
  const edit = (site: HonestSite) =>
    inEntry(site, 0, /(<af:sig [^>]*>)([^<]*)/, (_, open = '', text = '') => open + write(text, site));
  return { name, feed: edit, leaves: [1, 2, 3, 4], event: 'unverified-entry' };
}

/** The first payload once more, behind the one that replaced it. */
function again(name: string, id: string, event: Attack['event'] = 'repeated-payload'): Attack {
  return { name, feed: (site) => insertLast(site, replaced(site.entryXml(0), /<id>.*?</, `<id>${id}<`)), event };
}

function retyped(
  name: string,
  at: number,
  type: string,
  event: Attack['event'] = { fresh: 'malformed-payload' },
): Attack {
  const leaves = [0, 1, 2, 3, 4].filter((each) => each !== at);
  return { name, feed: (site) => inEntry(site, at, /<af:type>.*?</, `<af:type>${type}<`), leaves, event };
}

/** An entry with a true signature, in a place where none counts. */
function smuggled(
  name: string,
  wrap: (entry: string) => string,
  { into, event }: { readonly into?: number; readonly event?: Attack['event'] } = {},
): Attack {
  const feed = (site: HonestSite) => {
    const evil = wrap(entryOf(site, site.signed('urn:new', 'endpoint-announcement', NEW_FACT)));
    const safe = evil.startsWith('<!--') ? `<!--${evil.slice(4, -3).replaceAll('-', '')}-->` : evil;
    return into === undefined ? insertLast(site, safe) : inEntry(site, into, '</entry>', `${safe}</entry>`);
  };
  return { name, feed, ...(event !== undefined && { event }) };
}

/** Nothing of the feed can be believed. */
function whole(name: string, edit: (xml: string) => string): Attack {
  return { name, feed: ({ xml }) => edit(xml), leaves: [], event: 'feed-malformed' };
}

function withStatus(status: string): (site: HonestSite) => string {
  return ({ xml }) => replaced(xml, 'status>active', `status>${status}`);
}

function withVersion(version: string): (site: HonestSite) => string {
  return ({ xml }) => replaced(xml, 'version>0', `version>${version}`);
}

function migratedTo(url: string): (site: HonestSite) => string {
  return (site) =>
    replaced(withStatus('migrated')(site), '  <entry>', `<af:migrated-to>${url}</af:migrated-to><entry>`);
}

function ofDid(name: string, edit: (text: string, site: HonestSite) => string, event: Attack['event']): Attack {
  return { name, identity: (site) => edit(site.identity, site), leaves: [], event };
}

function signedBadly(name: string, payload: string): Attack {
  const feed = (site: HonestSite) =>
    insertLast(site, entryOf(site, site.signed('urn:new', 'endpoint-announcement', payload)));
  return { name, feed, event: 'malformed-payload' };
}

function answered(name: string, path: string, answer: (site: HonestSite) => Served, event: Attack['event']): Attack {
  return { name, serve: (site) => site.put(path, answer(site)), leaves: [], event };
}

function redirect(origin: string, path = FEED): Served {
  return { status: 302, headers: { location: origin + path } };
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

function malleable(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`);
  return Buffer.concat([bytes.subarray(0, 32), littleEndian(s + GROUP_ORDER)]).toString('base64url');
}

function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function flipBit(text: string, at: number, bit = 1): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[at] = (bytes[at] ?? 0) ^ bit;
  return bytes.toString('base64url');
}

function nextLetter(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
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

function entryOf(site: HonestSite, entry: FeedEntry, signer = entry.signer): string {
  return /<entry>.*<\/entry>/s.exec(site.feedOf([{ ...entry, signer }]))?.[0] ?? '';
}

function insertLast({ xml }: HonestSite, more: string): string {
  return replaced(xml, '</feed>', () => `${more}</feed>`);
}

function inEntry(
  site: HonestSite,
  at: number,
  from: string | RegExp,
  to: string | ((...groups: string[]) => string),
): string {
  return replaced(site.xml, site.entryXml(at), () => replaced(site.entryXml(at), from, to));
}

/** An attack that finds nothing to attack shows nothing. */
function replaced(text: string, from: string | RegExp, to: string | ((...groups: string[]) => string)): string {
  const result = typeof to === 'string' ? text.replace(from, to) : text.replace(from, to);
  if (result === text) throw new Error(`There is no ${from} in ${text.slice(0, 200)}`);
  return result;
}
