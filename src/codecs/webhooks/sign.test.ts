import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeWebhookSecret, encodeWebhookSecret, type SigningSecret } from './secret.ts';
import { signWebhook } from './sign.ts';

/** The vector of `traps-push.md`, T-SW-5. */
const VECTOR = {
  id: 'msg_test1',
  timestampSeconds: 1767323045,
  body: '{"type":"feed.changed","timestamp":"2026-01-02T03:04:05Z","data":{"url":"https://example.com/ä"}}',
};
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const PRIVATE = `whsk_${Buffer.alloc(32, 7).toString('base64')}`;
const V1 = 'v1,gii3dbkweEe09wTA4srv+2HF0OKfgGTEbbDrLJnqdCg=';
const V1A = 'v1a,b0K1oJomvSGvs2mw/wR4TIIqY3VPTL9V1hIjtNnEZ5KXzCU/ZatF0Cms0QICp+2NR196ZQW/KiqEk4xCed0WCg==';

function secrets(...texts: string[]): SigningSecret[] {
  return texts.map((text) => {
    const decoded = decodeWebhookSecret(text);
    if (!decoded.ok) throw new Error(decoded.issues[0].message);
    return decoded.value;
  });
}

clause(['SW-S1', 'SW-S2'], 'v1 is HMAC-SHA256 over id, timestamp and body, in base64', () => {
  expect(signWebhook({ ...VECTOR, secrets: secrets(SECRET) })).toBe(V1);
  expect(signWebhook({ ...VECTOR, body: Buffer.from(VECTOR.body), secrets: secrets(SECRET) })).toBe(V1);
});

clause('SW-S3', 'v1a is Ed25519 over the same', () => {
  expect(signWebhook({ ...VECTOR, secrets: secrets(PRIVATE) })).toBe(V1A);
});

clause('SW-H5', 'several secrets give one line of entries with a space between them', () => {
  expect(signWebhook({ ...VECTOR, secrets: secrets(SECRET, PRIVATE) })).toBe(`${V1} ${V1A}`);
});

clause('SW-H4', 'an id with a full stop, a comma or a space is never signed', () => {
  for (const id of ['a.b', 'a,b', 'a b', '', 'ä', 'a'.repeat(256)]) {
    expect(() => signWebhook({ ...VECTOR, id, secrets: [] }), id).toThrow(TypeError);
  }
  expect(() => signWebhook({ ...VECTOR, timestampSeconds: 1.5, secrets: [] })).toThrow(TypeError);
});

test('the official library takes what is signed here, with the old secret and the new one', () => {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const others = encodeWebhookSecret(new Uint8Array(24).fill(9));
  const headers = {
    'webhook-id': VECTOR.id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signWebhook({ ...VECTOR, timestampSeconds, secrets: secrets(PRIVATE, others, SECRET) }),
  };
  for (const secret of [SECRET, others]) {
    expect(new Webhook(secret).verify(VECTOR.body, headers)).toEqual(JSON.parse(VECTOR.body));
  }
  const stranger = encodeWebhookSecret(new Uint8Array(24));
  expect(() => new Webhook(stranger).verify(VECTOR.body, headers)).toThrow();
});

test('it signs the same as the official library', () => {
  const at = new Date(VECTOR.timestampSeconds * 1000);
  expect(new Webhook(SECRET).sign(VECTOR.id, at, VECTOR.body)).toBe(V1);
});
