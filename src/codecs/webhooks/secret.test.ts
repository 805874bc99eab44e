import { expect } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeWebhookKey, decodeWebhookSecret, encodeWebhookSecret, webhookPublicKey } from './secret.ts';

const SEED = new Uint8Array(32).fill(7);
const PUBLIC = 'whpk_6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const messageOf = (text: string) => {
  const decoded = decodeWebhookSecret(text);
  return decoded.ok ? undefined : decoded.issues[0].message;
};

clause('SW-S4', 'a secret has 24 to 64 bytes', () => {
  for (const length of [24, 32, 64]) {
    const bytes = new Uint8Array(length).fill(1);
    expect(decodeWebhookSecret(encodeWebhookSecret(bytes))).toEqual({ ok: true, value: { scheme: 'v1', key: bytes } });
  }
  for (const length of [0, 23, 65]) {
    const bytes = new Uint8Array(length);
    expect(messageOf(`whsec_${base64(bytes)}`)).toContain(`this one has ${length}`);
    expect(() => encodeWebhookSecret(bytes)).toThrow(RangeError);
  }
});

clause('SW-S5', 'a secret is its prefix and strict base64, or is refused without being repeated', () => {
  const digits = base64(new Uint8Array(24).fill(250));
  for (const [text, message] of [
    [digits, 'begins with whsec_'],
    [`v1,whsec_${digits}`, 'how a signature begins'],
    [`v1,${digits}`, 'how a signature begins'],
    [`WHSEC_${digits}`, 'begins with whsec_'],
    [`whsec_${digits}\n`, 'not base64'],
    [`whsec_${digits}=`, 'not base64'],
    [`whsec_${digits.replaceAll('+', '-')}`, 'not base64'],
    [`whsk_${digits}`, '32 bytes'],
    [PUBLIC, 'cannot sign'],
  ] as const) {
    expect(messageOf(text), text).toContain(message);
    expect(messageOf(text)).not.toContain(digits.slice(0, 8));
  }
  expect(decodeWebhookKey('whpk_AAAA')).toMatchObject({ ok: false });
  expect(decodeWebhookKey(`whsk_${base64(SEED)}`)).toMatchObject({ ok: false });
});

clause('SW-S5', 'a private key is a seed, alone or with its public key', () => {
  const pair = new Uint8Array([...SEED, ...Buffer.from(PUBLIC.slice('whpk_'.length), 'base64')]);
  for (const bytes of [SEED, pair]) {
    const secret = decodeWebhookSecret(`whsk_${base64(bytes)}`);
    if (!secret.ok || secret.value.scheme !== 'v1a') throw new Error('refused');
    expect(webhookPublicKey(secret.value)).toBe(PUBLIC);
  }
  pair[40] = 0;
  expect(messageOf(`whsk_${base64(pair)}`)).toContain('no pair');
});
