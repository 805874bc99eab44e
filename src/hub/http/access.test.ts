import { expect, test } from 'vitest';
import { admit } from './access.ts';
import type { RouteAccess } from './route.ts';

const isRight = (authorization: string) => authorization === 'Bearer right';
const HEADERS = { none: undefined, other: 'Basic eDp5', empty: 'Bearer', wrong: 'Bearer wrong', right: 'Bearer right' };

/** true and false: admitted with that `isAdmin`; a text: refused with that challenge. */
const EXPECTED: Readonly<Record<RouteAccess, Readonly<Record<keyof typeof HEADERS, boolean | string>>>> = {
  open: { none: false, other: false, empty: false, wrong: false, right: false },
  admin: {
    none: 'Bearer realm="tidings"',
    other: 'Bearer realm="tidings"',
    empty: 'Bearer realm="tidings"',
    wrong: 'Bearer realm="tidings", error="invalid_token"',
    right: true,
  },
  'public-or-admin': {
    none: false,
    other: false,
    empty: 'Bearer realm="tidings"',
    wrong: 'Bearer realm="tidings", error="invalid_token"',
    right: true,
  },
  'admin-or-key': {
    none: 'Bearer realm="tidings", DiffDelta-Key realm="tidings"',
    other: 'Bearer realm="tidings", DiffDelta-Key realm="tidings"',
    empty: 'Bearer realm="tidings"',
    wrong: 'Bearer realm="tidings", error="invalid_token"',
    right: true,
  },
};

const CASES = (Object.keys(EXPECTED) as RouteAccess[]).flatMap((access) =>
  (Object.keys(HEADERS) as (keyof typeof HEADERS)[]).map((header) => [access, header] as const),
);

test.each(CASES)('%s with %s token', (access, header) => {
  const admission = admit(access, { authorization: HEADERS[header] }, isRight);
  const expected = EXPECTED[access][header];
  if (admission.ok) {
    expect(admission.isAdmin).toBe(expected);
    return;
  }
  expect(admission.refusal.status).toBe(401);
  expect(admission.refusal.headers['www-authenticate']).toBe(expected);
});

test('with a key the handler decides, unless a wrong token came with it', () => {
  const key = { 'x-diffdelta-key': 'dd_live_any' };
  expect(admit('admin-or-key', key, isRight)).toEqual({ ok: true, isAdmin: false });
  expect(admit('admin-or-key', { ...key, authorization: 'Bearer right' }, isRight)).toEqual({
    ok: true,
    isAdmin: true,
  });
  expect(admit('admin-or-key', { ...key, authorization: 'Bearer wrong' }, isRight).ok).toBe(false);
  expect(admit('admin', key, isRight).ok).toBe(false);
});
