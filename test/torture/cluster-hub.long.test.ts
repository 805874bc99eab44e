import { describe, expect, test } from 'vitest';
import { findPostgres } from '../support/postgres-server.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { clusterHubPassed, describeClusterHub, tortureClusterHub } from './cluster-hub.ts';
import { describeProjectors, plantTwoProjectors } from './cluster-hub-defect.ts';
import { askedByTwo, countStale } from './cluster-hub-judge.ts';
import { passed } from './harness.ts';
import { Random } from './hub-random.ts';

const bin = findPostgres() ?? '';
/** It takes six minutes and both cores, so that it is asked for: `npm run torture -- cluster-hub`, or here with this variable. */
const IS_ASKED_FOR = process.env.TIDINGS_TORTURE === '1';
const FEW = { bin, sites: 40, intervalSeconds: 2, editsPerSecond: 3 };

describe.skipIf(bin === '')(`a cluster of processes${bin === '' ? ': no PostgreSQL on this machine' : ''}`, () => {
  test.skipIf(!IS_ASKED_FOR)(
    'loses, doubles and reorders nothing, and two servers say the same, whatever is done to it',
    async () => {
      const report = await tortureClusterHub({
        ...FEW,
        random: new Random(1),
        workers: 3,
        kills: shortOrLong(6, 12),
        stops: 3,
        cuts: 4,
        crashes: 2,
        projectorCuts: 2,
        clocks: 2,
        pairs: 600,
        say: () => {},
      });
      expect(clusterHubPassed(report), describeClusterHub(report)).toBe(true);
    },
  );

  test('two projectors, planted, are caught', async () => {
    const report = await plantTwoProjectors({ ...FEW, random: new Random(1), workers: 2 });
    expect(passed(report), describeProjectors(report)).toBe(true);
  });
});

test('a write under a token that is older than the last one of its task is stale', () => {
  const write = (rev: number, token: number, task = 'source:a') => ({ rev, token, task });
  expect(countStale([write(1, 5), write(3, 5), write(2, 4, 'source:b'), write(4, 7)])).toBe(0);
  expect(countStale([write(1, 5), write(3, 4), write(2, 7)])).toBe(1);
});

test('two processes that ask one host at the same time are found, one process that does so is not', () => {
  const asked = (from: string, startMs: number, endMs: number) =>
    ({ path: '/', of: 'turn', from, startMs, endMs, status: 200 }) as const;
  expect(askedByTwo([asked('a', 0, 10), asked('b', 5, 8)])).toHaveLength(1);
  expect(askedByTwo([asked('a', 0, 10), asked('a', 5, 8), asked('b', 10, 12)])).toEqual([]);
});
