import { expect, test } from 'vitest';
import { decodeDidDocument, methodFor } from './did-document.ts';
import { withLogKey } from './did-log-key.ts';
import { encodeDid } from './encode-did.ts';

const DID = 'did:web:api.example';
const LOG_KEY = new Uint8Array(32).fill(5);
const SITE_KEY = { id: `${DID}#key-1`, publicKey: Buffer.from(new Uint8Array(32).fill(6)).toString('base64url') };

function document(): string {
  const made = encodeDid(DID, [SITE_KEY]);
  if (!made.ok) throw new Error('No document.');
  return made.value;
}

function withKey(text: string): string {
  const made = withLogKey(text, DID, LOG_KEY);
  if (!made.ok) throw new Error(made.issues[0].message);
  return made.value;
}

test('the key of a log stands beside the others once, and the document stays as it is otherwise', () => {
  const once = withKey(document());
  const { verificationMethod, assertionMethod } = JSON.parse(once);
  expect(verificationMethod.map(({ id }: { id: string }) => id)).toEqual([`${DID}#key-1`, `${DID}#tidings-log`]);
  expect(assertionMethod).toEqual([`${DID}#key-1`]);
  expect(withKey(once)).toBe(once);
});

test('it is no key for entries of a feed, whatever they name', () => {
  const decoded = decodeDidDocument(withKey(document()), 'https://api.example/');
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  expect(methodFor(decoded.value, `${DID}#tidings-log`)).toMatchObject({ ok: false });
  expect(methodFor(decoded.value, undefined)).toMatchObject({ ok: true, method: { id: `${DID}#key-1` } });
});

test('what writes did.json anew keeps it', () => {
  const again = encodeDid(DID, [SITE_KEY], withKey(document()));
  expect(again.ok && again.value).toContain('#tidings-log');
});
