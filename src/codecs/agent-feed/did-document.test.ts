import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { type DidOptions, decodeDidDocument, methodFor } from './did-document.ts';

const ORIGIN = 'https://api.example';
const DID = 'did:web:api.example';
const KEY = Uint8Array.from({ length: 32 }, (_, at) => at + 1);
const OTHER_KEY = new Uint8Array(32).fill(9);

function multibase(bytes: Uint8Array): string {
  return `u${Buffer.from(bytes).toString('base64url')}`;
}

function method(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `${DID}#key-1`,
    type: 'Ed25519VerificationKey2020',
    controller: DID,
    publicKeyMultibase: multibase(KEY),
    ...changes,
  };
}

function documentOf(methods: unknown, changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: DID,
    verificationMethod: methods,
    ...changes,
  });
}

function decoded(json: string, options?: DidOptions) {
  const result = decodeDidDocument(json, ORIGIN, options);
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

function keyIn(json: string, signer?: string, options?: DidOptions): Uint8Array | string {
  const found = methodFor(decoded(json, options), signer);
  return found.ok ? found.method.publicKey : found.reason;
}

clause(['AF-K1', 'AF-ID2'], 'is the document of the host and port that serve it', () => {
  for (const [origin, id] of [
    ['https://api.example', 'did:web:api.example'],
    ['https://API.example:443', 'did:web:api.example'],
    ['https://api.example', 'did:web:API.Example'],
    ['https://h:8443', 'did:web:h%3A8443'],
    ['https://h:8443', 'did:web:h%3a8443'],
    ['https://[::1]:8443', 'did:web:%5B%3A%3A1%5D%3A8443'],
  ] as const) {
    expect(decodeDidDocument(documentOf([method()], { id }), origin).ok, `${id} at ${origin}`).toBe(true);
    expect(decodeDidDocument(documentOf([method()], { id }), new URL(origin)).ok).toBe(true);
  }
  for (const [origin, id] of [
    ['https://api.example', 'did:web:evil.example'],
    ['https://api.example', 'did:web:api.example:user'],
    ['https://api.example', 'did:web:api.example#key-1'],
    ['https://api.example', 'did:web:api.example%3A8443'],
    ['https://h:8443', 'did:web:h'],
    ['https://h:8443', 'did:web:h:8443'],
    ['https://api.example', 'did:key:api.example'],
    ['https://api.example', 'api.example'],
    ['https://api.example', ''],
    ['https://api.example', 7],
    ['https://api.example', null],
  ] as const) {
    const result = decodeDidDocument(documentOf([method()], { id }), origin);
    expect(result, `${id} at ${origin}`).toMatchObject({ ok: false, issues: [{ clause: 'AF-K1' }] });
  }
});

clause('AF-ID4', 'has at least one verification method', () => {
  for (const methods of [undefined, null, [], {}, 'x', method()]) {
    expect(decodeDidDocument(documentOf(methods), ORIGIN)).toMatchObject({ ok: false, issues: [{ clause: 'AF-ID4' }] });
  }
  expect(decoded(documentOf([null, 'x', [], method()])).methods).toHaveLength(1);
});

test.each([
  ['a page', '<html></html>'],
  ['nothing', ''],
  ['an array', '[]'],
  ['null', 'null'],
  ['a byte-order mark alone', '\uFEFF'],
  ['a key twice', documentOf([method()]).replace('{', `{"id":"${DID}",`)],
  ['a key of a method twice', documentOf([method()]).replace('"type"', '"publicKeyMultibase":"uAA","type"')],
  ['an escaped key twice', documentOf([method()]).replace('{', `{"\\u0069d":"${DID}",`)],
  ['depth', documentOf([method()], { x: JSON.parse('['.repeat(50) + ']'.repeat(50)) })],
  ['100,000 levels', '['.repeat(100_000)],
  ['size', documentOf([method()], { x: 'x'.repeat(2_000_000) })],
])('refuses %s', (_, json) => {
  expect(decodeDidDocument(json, ORIGIN)).toMatchObject({ ok: false, issues: [{ clause: 'AF-ID1' }] });
});

clause(['AF-ID7', 'AF-K2'], 'reads the same key in every multibase', () => {
  const hex = Buffer.from(KEY).toString('hex');
  for (const text of [multibase(KEY), `f${hex}`, `F${hex.toUpperCase()}`, `m${Buffer.from(KEY).toString('base64')}`]) {
    expect(keyIn(documentOf([method({ publicKeyMultibase: text.replace(/=+$/, '') })])), text).toEqual(KEY);
  }
  expect(keyIn(documentOf([method({ publicKeyMultibase: 'z4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw' })]))).toEqual(
    KEY,
  );
});

/** Each change of a method, and why it cannot be used then. */
function expectUnusable(faults: readonly (readonly [Record<string, unknown>, string])[]): void {
  for (const [changes, reason] of faults) {
    expect(keyIn(documentOf([method(changes)]), `${DID}#key-1`), JSON.stringify(changes)).toContain(reason);
  }
}

clause(['AF-K2', 'AF-K3', 'AF-ID6'], 'says why the key of a method cannot be used', () => {
  expectUnusable([
    [{ publicKeyMultibase: 'xAAAA' }, 'prefix "x" is not known'],
    [{ publicKeyMultibase: '' }, 'it is empty'],
    [{ publicKeyMultibase: 'u!!!!' }, 'does not follow the encoding'],
    [{ publicKeyMultibase: 7 }, 'has no publicKeyMultibase'],
    [{ publicKeyMultibase: undefined, publicKeyBase58: 'x' }, 'has no publicKeyMultibase'],
    [{ publicKeyMultibase: multibase(KEY.slice(1)) }, 'a key of 31 bytes, not of 32'],
    [{ publicKeyMultibase: multibase(Uint8Array.from([...KEY, 0, 0])) }, 'a key of 34 bytes, not of 32'],
  ]);
});

clause('AF-ID5', 'a method of another type, or of somebody else, cannot be used', () => {
  expectUnusable([
    [{ type: 'Ed25519VerificationKey2018' }, 'is not of type Ed25519VerificationKey2020'],
    [{ type: 'JsonWebKey2020' }, 'is not of type Ed25519VerificationKey2020'],
    [{ type: ['Ed25519VerificationKey2020'] }, 'is not of type Ed25519VerificationKey2020'],
    [{ controller: 'did:web:evil.example' }, `is controlled by someone else than ${DID}`],
    [{ controller: [DID] }, `is controlled by someone else than ${DID}`],
  ]);
  expect(keyIn(documentOf([method({ controller: undefined })]))).toEqual(KEY);
});

clause('AF-K3', 'takes a key of 34 bytes with the header ed01 only where that is asked for; the length decides', () => {
  const withHeader = documentOf([method({ publicKeyMultibase: multibase(Uint8Array.from([0xed, 0x01, ...KEY])) })]);
  expect(keyIn(withHeader)).toContain('the multicodec header ed01 stands before it');
  expect(keyIn(withHeader, undefined, { acceptMulticodecKeys: true })).toEqual(KEY);
  const raw = Uint8Array.from([0xed, 0x01, ...KEY.slice(2)]);
  const looksLikeIt = documentOf([method({ publicKeyMultibase: multibase(raw) })]);
  expect(keyIn(looksLikeIt)).toEqual(raw);
  expect(keyIn(looksLikeIt, undefined, { acceptMulticodecKeys: true })).toEqual(raw);
});

clause(['AF-V4', 'AF-V5', 'AF-ID8'], 'finds the method that a signer names, or else the first of the type', () => {
  const json = documentOf([
    { id: `${DID}#jwk`, type: 'JsonWebKey2020', controller: DID, publicKeyJwk: { kty: 'OKP' } },
    method(),
    method({ id: '#key-2', publicKeyMultibase: multibase(OTHER_KEY) }),
  ]);
  expect(keyIn(json)).toEqual(KEY);
  expect(keyIn(json, `${DID}#key-1`)).toEqual(KEY);
  expect(keyIn(json, '#key-1')).toEqual(KEY);
  expect(keyIn(json, '#key-2')).toEqual(OTHER_KEY);
  expect(keyIn(json, `${DID}#key-2`)).toEqual(OTHER_KEY);
  expect(keyIn(json, `${DID}#jwk`)).toContain('is not of type');
  for (const signer of ['', '#', 'key-1', '#key-9', `${DID}#key-9`, DID, 'did:web:evil.example#key-1', '__proto__']) {
    expect(keyIn(json, signer), signer).toContain('has no verification method');
  }
});

clause('AF-V5', 'never falls back from the first method of the type to a later one', () => {
  const broken = method({ publicKeyMultibase: 'xAAAA' });
  expect(keyIn(documentOf([broken, method({ id: '#key-2' })]))).toContain('prefix "x" is not known');
  expect(keyIn(documentOf([method({ type: 'JsonWebKey2020' })]))).toContain('of type Ed25519VerificationKey2020');
});

clause('AF-V4', 'finds none where one id names two keys', () => {
  const other = { publicKeyMultibase: multibase(OTHER_KEY) };
  expect(keyIn(documentOf([method(), method(other)]), '#key-1')).toContain('with different keys');
  expect(keyIn(documentOf([method(), method({ id: '#key-1', ...other })]), '#key-1')).toContain('with different keys');
  expect(keyIn(documentOf([method(), method({ type: 'x' })]), '#key-1')).toContain('with different keys');
  expect(keyIn(documentOf([method(), method({ id: '#key-1' })]), '#key-1')).toEqual(KEY);
});

test('a method without an id is never named, but may be the first', () => {
  const json = documentOf([method({ id: undefined })]);
  expect(keyIn(json)).toEqual(KEY);
  expect(keyIn(json, '')).toContain('has no verification method');
});

test('never throws, whatever it is given', () => {
  const valid = documentOf([method()]);
  fc.assert(
    fc.property(fc.nat(valid.length), fc.nat(20), fc.string(), (at, cut, put) => {
      decodeDidDocument(valid.slice(0, at) + put + valid.slice(at + cut), ORIGIN);
    }),
  );
  fc.assert(
    fc.property(fc.json(), (json) => {
      decodeDidDocument(json, ORIGIN);
      const result = decodeDidDocument(documentOf([JSON.parse(json), method()]), ORIGIN);
      if (result.ok) methodFor(result.value, '#key-1');
    }),
  );
});

test('finds each of many methods in as many steps, however many there are', async () => {
  const id = 'did:web:api.example';
  const documentWith = (length: number) => {
    const methods = Array.from({ length }, (_, at) => ({
      id: at % 2 === 0 ? `#key-${at}` : `${id}#key-${at}`,
      type: 'Ed25519VerificationKey2020',
      publicKeyMultibase: `u${'A'.repeat(43)}`,
    }));
    return JSON.stringify({ id, verificationMethod: methods });
  };
  const decoded = decodeDidDocument(documentWith(1000), 'https://api.example');
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  for (let at = 0; at < 1000; at += 1) {
    ensure(methodFor(decoded.value, `${id}#nobody-${at}`).ok, false);
    ensure(methodFor(decoded.value, `#key-${at}`).ok, true);
  }
  await expectLinear<typeof import('./did-document.ts'), [string, number]>(
    new URL('./did-document.ts', import.meta.url),
    ({ decodeDidDocument, methodFor }, [text, signers]) => {
      const document = decodeDidDocument(text, 'https://api.example');
      if (!document.ok) throw new Error('No document.');
      for (let at = 0; at < signers; at += 1) methodFor(document.value, `#key-${at}x`);
    },
    (count) => [documentWith(count), count * 10],
  );
  const one = { id: '#x', type: 'x' };
  const many = JSON.stringify({ id, verificationMethod: Array.from({ length: 1001 }, () => one) });
  expect(decodeDidDocument(many, 'https://api.example')).toMatchObject({ ok: false, issues: [{ clause: 'AF-ID4' }] });
});

/** Without the cost of an expectation. */
function ensure(seen: boolean, wanted: boolean): void {
  if (seen !== wanted) throw new Error('A method was found, or not, against expectation.');
}
