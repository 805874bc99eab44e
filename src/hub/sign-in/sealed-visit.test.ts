import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SealedVisits, VISIT_SECONDS } from './sealed-visit.ts';

function lab() {
  const time = { ms: 1_000_000 };
  const open = () => new SealedVisits({ key: randomBytes(32), random: randomBytes, now: () => time.ms });
  return { time, open, visits: open() };
}

test('a visit is taken once, by its state', () => {
  const { visits } = lab();
  const { visit, sealed } = visits.begin('sources');
  expect(visits.take(sealed, 'other')).toBeUndefined();
  expect(visits.take(sealed, '')).toBeUndefined();
  expect(visits.take(sealed, visit.state)).toEqual(visit);
  expect(visits.take(sealed, visit.state)).toBeUndefined();
  expect(new Set([visit.state, visit.nonce, visit.verifier]).size).toBe(3);
});

test('one that is too old, tampered with, or of another start is none', () => {
  const { visits, time, open } = lab();
  const { visit, sealed } = visits.begin('');
  expect(open().take(sealed, visit.state)).toBeUndefined();
  for (const at of [0, 20, Math.floor(sealed.length / 2), sealed.length - 2]) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    expect(visits.take(sealed.slice(0, at) + other + sealed.slice(at + 1), visit.state)).toBeUndefined();
  }
  for (const text of ['', 'x', 'A'.repeat(5000)]) expect(visits.take(text, visit.state)).toBeUndefined();
  time.ms += VISIT_SECONDS * 1000;
  expect(visits.take(sealed, visit.state)).toBeUndefined();
});

test('the cookie tells nothing and fits into one', () => {
  const { visits } = lab();
  const { visit, sealed } = visits.begin('a'.repeat(2000));
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(visit.verifier);
  expect(sealed.length).toBeLessThan(3600);
});
