import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { decodeAgentFeed } from '../codecs/agent-feed/decode-feed.ts';
import { decodePayload } from '../codecs/agent-feed/decode-payload.ts';
import { decodeSignature, encodeSignature } from '../codecs/agent-feed/signature-text.ts';
import { AF_NAMESPACE, type DecodedEntry } from '../codecs/agent-feed/wire.ts';
import { canonicalJson } from '../codecs/primitives/canonical-json.ts';
import { ATOM_NAMESPACE } from '../codecs/primitives/xml-names.ts';
import { publicKeyOfSeed, signBytes, verifySignature } from './ed25519.ts';

const TEST_SEED = new Uint8Array(32).fill(3);
const KEY = publicKeyOfSeed(TEST_SEED);
const UTF8 = new TextEncoder();
/** With characters of one to four bytes, and the one that decoders put in place of what they cannot read. */
const PAYLOADS = ['<é>', '\u20ac & \uFFFD', '\u{1F600}"'].map((version, at) =>
  canonicalJson({
    'asserted-at': '2026-04-27T12:00:00Z',
    endpoint: `/orders/${at}`,
    'endpoint-id': `orders-${at}`,
    protocol: 'rest',
    version,
  }),
);

function signatureOf(text: string): string {
  return encodeSignature(signBytes(TEST_SEED, UTF8.encode(text)));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function feedOf(entries: readonly { readonly content: string; readonly signature: string }[]): string {
  const inside = entries.map(
    ({ content, signature }, at) => `
  <entry><id>urn:af:h:${at}</id><af:type>endpoint-announcement</af:type>
    <content type="application/json">${content}</content><af:sig type="ed25519">${signature}</af:sig></entry>`,
  );
  return `<feed xmlns="${ATOM_NAMESPACE}" xmlns:af="${AF_NAMESPACE}">${inside.join('')}\n</feed>\n`;
}

function isVerified({ content, signature, flaw }: DecodedEntry): boolean {
  const bytes = signature === undefined ? undefined : decodeSignature(signature);
  if (flaw !== undefined || content === undefined || bytes === undefined) return false;
  return verifySignature(KEY, UTF8.encode(content), bytes);
}

/** Whether the one entry verifies whose content and signature are written so. */
function verifies(content: string, signature: string): boolean {
  const feed = decodeAgentFeed(feedOf([{ content, signature }]));
  const entry = feed.ok ? feed.value.entries[0] : undefined;
  return entry !== undefined && isVerified(entry);
}

clause(['AF-V1', 'AF-V6'], 'a payload verifies raw, with entities and in CDATA, but not with a blank more', () => {
  for (const payload of PAYLOADS) {
    const signature = signatureOf(payload);
    const entities = escaped(payload).replaceAll('"', '&quot;');
    const numbers = Array.from(payload, (character) => `&#${character.codePointAt(0)};`).join('');
    for (const content of [escaped(payload), entities, `<![CDATA[${payload}]]>`, numbers]) {
      expect(verifies(content, signature), content).toBe(true);
      for (const changed of [` ${content}`, `${content}\n`, `\n    ${content}\n  `, `${content}<!-- -->`]) {
        expect(verifies(changed, signature), changed).toBe(false);
      }
    }
  }
});

clause(['AF-V2', 'AF-SG1', 'AF-D2'], 'a signature verifies in one spelling, blanks aside', () => {
  const [payload = ''] = PAYLOADS;
  const signature = signatureOf(payload);
  const verifiesWith = (text: string) => verifies(escaped(payload), text);
  expect(verifiesWith(signature)).toBe(true);
  expect(verifiesWith(`\n  ${signature.slice(0, 40)}\n  ${signature.slice(40)}  \n`)).toBe(true);
  const standard = Buffer.from(decodeSignature(signature) ?? []).toString('base64');
  for (const text of ['', standard, `${signature}==`, signature.slice(2), `${signature}AA`, `e30..${signature}`]) {
    expect(verifiesWith(text), text).toBe(false);
  }
});

clause('AF-SG3', 'a pretty copy of a payload does not verify, and what verifies is read by a JSON parser', () => {
  for (const payload of PAYLOADS) {
    const pretty = JSON.stringify(JSON.parse(payload), null, 2);
    expect(verifies(escaped(pretty), signatureOf(payload))).toBe(false);
    expect(verifies(escaped(pretty), signatureOf(pretty))).toBe(true);
    expect(decodePayload('endpoint-announcement', pretty)).toEqual(decodePayload('endpoint-announcement', payload));
  }
});

const ENTRIES = PAYLOADS.map((payload) => ({ content: escaped(payload), signature: signatureOf(payload) }));
const BYTES = Buffer.from(feedOf(ENTRIES));
const SPLICES = ['', '<', '>', '&', '"', '<!---->', '<b/>', '<![CDATA[]]>', '&#10;', '&#xD800;', '<?x?>', ' ', '\r\n'];
const SPECIAL = [0x00, 0x0d, 0x3c, 0x80, 0xbd, 0xbf, 0xc0, 0xed, 0xef, 0xf4, 0xfe, 0xff];

/** Every text that verifies in a document, however damaged it is. */
function verifiedIn(document: string): readonly string[] {
  const feed = decodeAgentFeed(document);
  return feed.ok ? feed.value.entries.filter(isVerified).map(({ content = '' }) => content) : [];
}

test('no change of bytes makes another text verify, or anything throw', () => {
  expect(verifiedIn(BYTES.toString())).toEqual(PAYLOADS);
  const splice = fc.oneof(
    fc.constantFrom(...SPLICES).map((text) => Buffer.from(text)),
    fc.constantFrom(...SPECIAL).map((byte) => Buffer.from([byte])),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(fc.nat(BYTES.length), fc.nat(200)).map(([at, length]) => BYTES.subarray(at, at + length)),
  );
  const change = fc.record({ at: fc.nat(BYTES.length), cut: fc.nat(3), splice });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const changed = changes.reduce(
        (bytes, { at, cut, splice: put }) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]),
        BYTES,
      );
      for (const text of verifiedIn(changed.toString())) expect(PAYLOADS).toContain(text);
    }),
    { numRuns: 500 },
  );
});

test('half a surrogate pair never passes for the character that UTF-8 puts in its place', () => {
  const document = BYTES.toString();
  expect(document).toContain('\uFFFD');
  for (const half of ['\uD800', '\uDBFF', '\uDC00', '&#xD800;', '&#xDFFF;']) {
    expect(verifiedIn(document.replace('\uFFFD', half))).toEqual([]);
  }
});
