import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeDidDocument } from './did-document.ts';
import { type DidKey, encodeDid } from './encode-did.ts';

const DID = 'did:web:api.example';
const KEY = { id: `${DID}#key-1`, publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const NEXT = { id: `${DID}#key-2`, publicKey: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw' };

function encode(keys: readonly DidKey[], existing?: string): string {
  const encoded = encodeDid(DID, keys, existing);
  if (!encoded.ok) throw new Error(encoded.issues[0].message);
  return encoded.value;
}

clause(['AF-ID3', 'AF-ID6'], 'a new document has what readers ask for', () => {
  const decoded = decodeDidDocument(encode([KEY, NEXT]), 'https://api.example');
  expect(decoded).toMatchObject({
    ok: true,
    value: { id: DID, methods: [{ id: KEY.id, controller: DID, publicKey: expect.any(Uint8Array) }, { id: NEXT.id }] },
  });
});

test('the document of somebody else is added to: nothing of it is lost, and once it is right its bytes stay', () => {
  const existing = `{
  "@context": "https://www.w3.org/ns/did/v1",
  "id": "${DID}",
  "alsoKnownAs": ["at://api.example"],
  "verificationMethod": [{"id": "#key-1", "type": "Ed25519VerificationKey2020", "publicKeyMultibase": "u${KEY.publicKey}"}, {"id": "#mail"}],
  "assertionMethod": ["#mail", "#key-1"],
  "service": [{"id": "#pds", "priority": 1.0}]
}`;
  const merged = encode([KEY, NEXT], existing);
  expect(JSON.parse(merged)).toMatchObject({
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
    alsoKnownAs: ['at://api.example'],
    verificationMethod: [{ id: KEY.id, controller: DID }, { id: '#mail' }, { id: NEXT.id }],
    assertionMethod: ['#mail', '#key-1', NEXT.id],
  });
  expect(merged).toContain('"service": [{"id": "#pds", "priority": 1.0}]');
  expect(encode([KEY, NEXT], merged)).toBe(merged);
});

test('what others wrote into the lists keeps its bytes, numbers with all their digits among them', () => {
  const foreign = '{ "id": "#hsm", "big": 12345678901234567890, "small": 1e-400 ,"text":"]},\\"["}';
  const key = `{"id": "#key-1", "publicKeyMultibase": "f${Buffer.from(KEY.publicKey, 'base64url').toString('hex')}", "n": 1.50}`;
  const layouts = [
    ['[', ',', ']'],
    ['[ ', ', ', ' ]'],
    ['[\n    ', ',\n    ', '\n  ]'],
  ] as const;
  for (const [open, comma, close] of layouts) {
    const list = (...items: string[]) => open + items.join(comma) + close;
    const existing = `{"@context":{"@version":1.10},"verificationMethod":${list(foreign, key)}, "assertionMethod": ${list(foreign)},"authentication":${list('"#hsm"', foreign)}}`;
    const first = encode([KEY, NEXT], existing);
    const theirs = existing.match(/\{ "id": "#hsm".*?"\}/g) ?? [];
    expect(theirs).toHaveLength(3);
    expect(first.match(/\{ "id": "#hsm".*?"\}/g)).toEqual(theirs);
    expect(first).toContain('{"@version":1.10}');
    expect(first).toContain(`"u${KEY.publicKey}", "n": 1.50`);
    expect(JSON.parse(first)).toMatchObject({
      verificationMethod: [{ id: '#hsm' }, { id: KEY.id, controller: DID }, { id: NEXT.id }],
      assertionMethod: [{ id: '#hsm' }, KEY.id, NEXT.id],
      authentication: ['#hsm', { id: '#hsm' }],
    });
    expect(encode([KEY, NEXT], first)).toBe(first);
    const revoked = encode([{ ...KEY, isRevoked: true }, NEXT], first);
    expect(revoked.match(/\{ "id": "#hsm".*?"\}/g)).toEqual(theirs);
    expect(JSON.parse(revoked)).toMatchObject({ verificationMethod: [{ id: '#hsm' }, { id: NEXT.id }] });
    expect(revoked).not.toContain('key-1');
  }
});

test('a key that is written in another way is written in ours; another key is refused', () => {
  const raw = Buffer.from(KEY.publicKey, 'base64url');
  const document = (multibase: string) =>
    JSON.stringify({ verificationMethod: [{ id: KEY.id, publicKeyMultibase: multibase }] });
  for (const multibase of [`f${raw.toString('hex')}`, `fed01${raw.toString('hex')}`]) {
    expect(encode([KEY], document(multibase))).toContain(`"u${KEY.publicKey}"`);
  }
  expect(encodeDid(DID, [KEY], document(`u${NEXT.publicKey}`))).toMatchObject({
    ok: false,
    issues: [{ clause: 'AF-ID7' }],
  });
  expect(encodeDid(DID, [KEY], document('nonsense'))).toMatchObject({ ok: false });
});

test('what is no document of this DID is refused', () => {
  for (const existing of [
    '',
    '[]',
    'null',
    '{"id":"did:web:other"}',
    '{"id":7}',
    '{"id":"x","id":"y"}',
    '{"verificationMethod":{}}',
    '{"assertionMethod":"#a"}',
  ]) {
    expect(encodeDid(DID, [KEY], existing), existing).toMatchObject({ ok: false });
  }
});
