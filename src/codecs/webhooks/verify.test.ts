import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { encodeWebhookSecret } from './secret.ts';
import { type VerifyWebhookOptions, verifyWebhook } from './verify.ts';

/** The vector of `traps-push.md`, T-SW-5. */
const BODY = '{"type":"feed.changed","timestamp":"2026-01-02T03:04:05Z","data":{"url":"https://example.com/ä"}}';
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const PUBLIC = 'whpk_6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=';
const V1 = 'v1,gii3dbkweEe09wTA4srv+2HF0OKfgGTEbbDrLJnqdCg=';
const V1A = 'v1a,b0K1oJomvSGvs2mw/wR4TIIqY3VPTL9V1hIjtNnEZ5KXzCU/ZatF0Cms0QICp+2NR196ZQW/KiqEk4xCed0WCg==';
const SENT = 1767323045;

function verified(
  headers: Record<string, string | string[] | undefined>,
  options: Partial<VerifyWebhookOptions> = {},
): string {
  const result = verifyWebhook({
    headers: { 'webhook-id': 'msg_test1', 'webhook-timestamp': String(SENT), 'webhook-signature': V1, ...headers },
    body: BODY,
    secrets: [SECRET],
    now: new Date(SENT * 1000),
    ...options,
  });
  return result.ok ? 'genuine' : result.issues[0].clause;
}

clause('SW-S1', 'what is signed is the id, the timestamp and the body as it came', () => {
  expect(verified({})).toBe('genuine');
  expect(verified({}, { body: Buffer.from(BODY) })).toBe('genuine');
  expect(verified({ 'webhook-id': 'msg_test2' })).toBe('SW-R2');
  expect(verified({ 'webhook-timestamp': String(SENT + 1) })).toBe('SW-R2');
  expect(verified({}, { body: `${BODY} ` })).toBe('SW-R2');
  expect(verified({}, { body: JSON.stringify(JSON.parse(BODY), null, 1) })).toBe('SW-R2');
});

clause('SW-S3', 'a signature by Ed25519 counts for who has the public key', () => {
  expect(verified({ 'webhook-signature': V1A }, { secrets: [PUBLIC] })).toBe('genuine');
  expect(verified({ 'webhook-signature': V1A }, { secrets: [SECRET] })).toBe('SW-R2');
  expect(verified({ 'webhook-signature': V1A.replace('v1a', 'v1') }, { secrets: [SECRET, PUBLIC] })).toBe('SW-R2');
});

clause('SW-S8', 'a key that comes with the request proves nothing', () => {
  const headers = { 'webhook-signature': V1A, 'webhook-key': PUBLIC, 'x-public-key': PUBLIC };
  expect(verified(headers, { secrets: [encodeWebhookSecret(new Uint8Array(24))] })).toBe('SW-R2');
  expect(verified(headers, { secrets: [] })).toBe('SW-R2');
});

clause('SW-R2', 'entries are tried until one fits; versions that nobody knows are skipped', () => {
  const foreign = `v1,${Buffer.alloc(32).toString('base64')}`;
  expect(verified({ 'webhook-signature': `v9,x v1a,y ${foreign} ${V1}` })).toBe('genuine');
  expect(verified({ 'webhook-signature': `v9,x v1a,y ${foreign}` })).toBe('SW-R2');
  expect(verified({}, { secrets: [encodeWebhookSecret(new Uint8Array(24)), SECRET] })).toBe('genuine');
});

clause('SW-V1', 'an entry of another length or none at all is refused and breaks nothing', () => {
  for (const entry of ['', 'v1', 'v1,', 'v1,AAAA', `${V1}=`, 'v1,ä', ' ']) {
    expect(verified({ 'webhook-signature': entry }), entry).toBe('SW-R2');
  }
});

test('a long list of entries is not tried to its end', () => {
  expect(verified({ 'webhook-signature': `${'v1,AAAA '.repeat(15)}${V1}` })).toBe('genuine');
  expect(verified({ 'webhook-signature': `${'v1,AAAA '.repeat(16)}${V1}` })).toBe('SW-R2');
});

clause('SW-V2', 'an attempt counts within five minutes, in both directions', () => {
  const after = (seconds: number) => verified({}, { now: new Date((SENT + seconds) * 1000) });
  expect([-301, -299, 0, 299, 301].map(after)).toEqual(['SW-V2', 'genuine', 'genuine', 'genuine', 'SW-V2']);
  for (const timestamp of ['abc', `${SENT}abc`, ` ${SENT}`, `${SENT}.0`, '-1', '1e9', '', undefined]) {
    expect(verified({ 'webhook-timestamp': timestamp }), timestamp).toBe('SW-V2');
  }
  expect(verified({}, { now: new Date(Number.NaN) })).toBe('SW-V2');
  expect(verified({}, { now: new Date((SENT + 301) * 1000), toleranceSeconds: 600 })).toBe('genuine');
});

test('names of headers have no case, a Headers object will do, and one that is there twice is refused', () => {
  expect(verified({ 'webhook-id': undefined, 'Webhook-Id': 'msg_test1' })).toBe('genuine');
  const headers = new Headers({
    'webhook-id': 'msg_test1',
    'webhook-timestamp': String(SENT),
    'webhook-signature': V1,
  });
  expect(verified({}, { headers })).toBe('genuine');
  headers.append('webhook-signature', V1);
  expect(verified({}, { headers })).toBe('SW-H1');
  expect(verified({ 'webhook-signature': [V1, V1] })).toBe('SW-H1');
  expect(verified({ 'webhook-signature': `${V1}, ${V1}` })).toBe('SW-H1');
  expect(verified({ 'Webhook-Id': 'msg_test1' })).toBe('SW-H1');
  expect(verified({ 'webhook-id': 'msg_test1, msg_test1' })).toBe('SW-H1');
});

clause('SW-V3', 'the id of a delivery is the same in each attempt, by which it is dealt with once', () => {
  const done = new Set<string>();
  let worked = 0;
  for (const sentAtMs of [SENT * 1000, (SENT + 86_400) * 1000]) {
    const now = new Date(sentAtMs);
    const headers = {
      'webhook-id': 'msg_test1',
      'webhook-timestamp': String(sentAtMs / 1000),
      'webhook-signature': new Webhook(SECRET).sign('msg_test1', now, BODY),
    };
    const verified = verifyWebhook({ headers, body: BODY, secrets: [SECRET], now });
    if (!verified.ok) throw new Error('refused');
    if (!done.has(verified.value.id)) worked += 1;
    done.add(verified.value.id);
  }
  expect(worked).toBe(1);
});

test('a secret that is none is said, not tried', () => {
  expect(verified({}, { secrets: ['secret'] })).toBe('SW-S5');
});

test('it takes what the official library signs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array({ minLength: 24, maxLength: 64 }), (body, bytes) => {
      const secret = encodeWebhookSecret(bytes);
      const now = new Date(SENT * 1000);
      const signature = new Webhook(secret).sign('msg_1', now, body);
      const headers = { 'webhook-id': 'msg_1', 'webhook-signature': signature };
      expect(verified(headers, { body, secrets: [secret] })).toBe('genuine');
    }),
    { numRuns: 50 },
  );
});
