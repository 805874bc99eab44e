import { type Attack, EVIL, type HonestSite } from '../support/agent-feed-attacks.ts';
import { FORGED, inEntry, littleEndian, replaced } from './altered.ts';

/** The order of the group that Ed25519 signs in (RFC 8032 §5.1), and the prime of its field. */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** What stands in the first entry is changed, and the signature is not. */
export const SIGNED_TEXT: readonly Attack[] = [
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

export const SIGNATURES: readonly Attack[] = [
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

function malleable(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`);
  return Buffer.concat([bytes.subarray(0, 32), littleEndian(s + GROUP_ORDER)]).toString('base64url');
}

function flipBit(text: string, at: number, bit = 1): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[at] = (bytes[at] ?? 0) ^ bit;
  return bytes.toString('base64url');
}

function nextLetter(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
