import { expect, test } from 'vitest';
import { extractPage } from '../extract/extract-page.ts';
import { makeHints } from './make-hints.ts';

const URL_ = 'https://docs.example/pricing';
const PAGE = extractPage('<title>P</title><h1>Prices</h1><p>All.</p><h2 id="tiers">Tiers</h2><p>€ 19</p>', URL_);
const SECTION = { action: 'update', url: URL_, anchor: 'tiers', checksum: 'sha256:ab' } as const;
const nonces = () => {
  let count = 0;
  return () => {
    count += 1;
    return `n${count}`;
  };
};

test('gives nothing unless an extension is on', () => {
  expect(makeHints(SECTION, PAGE, { extensions: {}, nonce: nonces() })).toBeUndefined();
});

test('a chunk keeps its id while its boundary exists, and has another one than its page', () => {
  const extensions = { chunkHints: { embedRef: 'https://docs.example/vectors/{chunk_id}.json' } };
  const hintsOf = (change: Parameters<typeof makeHints>[0]) =>
    makeHints(change, PAGE, { extensions, nonce: nonces() }) ?? {};
  const first = hintsOf(SECTION);
  expect(first.embed_ref).toBe(`https://docs.example/vectors/${first.chunk_id}.json`);
  expect(first.section_checksum).toBe('sha256:ab');
  expect(hintsOf({ ...SECTION, checksum: 'sha256:cd' }).chunk_id).toBe(first.chunk_id);
  const whole = hintsOf({ action: 'update', url: URL_, checksum: 'sha256:ef' });
  expect(whole.chunk_id).not.toBe(first.chunk_id);
  expect(whole).not.toHaveProperty('section_checksum');
});

test('billing hints measure the boundary alone, with another nonce each time', () => {
  const options = { extensions: { billingHints: { plan: 'free', unit: 'bytes' } }, nonce: nonces() } as const;
  const section = PAGE.sections.find(({ anchor }) => anchor === 'tiers')?.markdown ?? '';
  expect(makeHints(SECTION, PAGE, options)).toEqual({
    plan: 'free',
    unit: 'bytes',
    size: Buffer.byteLength(section),
    nonce: 'n1',
  });
  expect(makeHints({ action: 'delete', url: URL_ }, undefined, options)).toMatchObject({ size: 0, nonce: 'n2' });
  const tokens = { extensions: { billingHints: { plan: 'pro', unit: 'tokens' } }, nonce: nonces() } as const;
  const counted = makeHints({ action: 'update', url: URL_ }, PAGE, tokens)?.size ?? 0;
  expect(counted).toBeGreaterThan(3);
  expect(counted).toBeLessThan(Buffer.byteLength(PAGE.markdown));
});
