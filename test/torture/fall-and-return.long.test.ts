import { expect, test } from 'vitest';
import { shortOrLong } from '../support/short-or-long.ts';
import { describeFall, tortureFall } from './fall-and-return.ts';
import { judge } from './fall-judge.ts';
import { passed } from './harness.ts';

test('however a feed breaks, and whenever its site is edited, every edit is told and none twice', async () => {
  const report = await tortureFall({ rounds: shortOrLong(6, 60), followers: shortOrLong(['hub'], ['hub', 'follow']) });
  expect(passed(report), describeFall(report)).toBe(true);
  expect(report.falls).toBeGreaterThan(0);
  expect(report.hits).toBe(report.rounds);
});

test('the judge finds what is lost and what is doubled', () => {
  const base = 'http://a.example/';
  const edit = { action: 'update', path: 'p', anchor: 'one', atMs: 10_000 } as const;
  const told = { action: 'update', url: `${base}p`, anchor: 'one', time: new Date(12_000).toISOString() } as const;
  expect(judge([edit], [told], base)).toEqual({ lost: [], doubled: [] });
  expect(judge([edit], [], base).lost).toHaveLength(1);
  expect(judge([edit], [{ ...told, anchor: 'two' }], base)).toMatchObject({ lost: [expect.any(String)] });
  expect(judge([edit], [{ ...told, time: new Date(5000).toISOString() }], base).lost, 'too early').toHaveLength(1);
  expect(judge([edit], [told, told], base).doubled).toHaveLength(1);
  expect(judge([edit, edit], [told], base), 'two as one').toEqual({ lost: [], doubled: [] });
});
