import { describe, expect, test } from 'vitest';
import { findPostgres } from '../support/postgres-server.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import {
  describeCluster,
  tortureClusterClocks,
  tortureClusterCrashes,
  tortureClusterCuts,
  tortureClusterKills,
  tortureClusterStops,
} from './cluster.ts';
import { describeDefects, tortureClusterDefects } from './cluster-defects.ts';
import { passed } from './harness.ts';

const bin = findPostgres() ?? '';

describe.skipIf(bin === '')(`a journal that is tortured${bin === '' ? ': no PostgreSQL on this machine' : ''}`, () => {
  test.each([
    [tortureClusterKills, shortOrLong(10, 30)],
    [tortureClusterStops, shortOrLong(6, 12)],
    [tortureClusterCuts, shortOrLong(3, 6)],
    [tortureClusterCrashes, shortOrLong(2, 5)],
    [tortureClusterClocks, shortOrLong(2, 3)],
  ])('%o loses, doubles and reorders nothing', async (torture, rounds) => {
    const report = await torture({ bin, rounds, seed: 1 });
    expect(passed(report), describeCluster(report)).toBe(true);
  });

  test('planted defects are caught', async () => {
    const report = await tortureClusterDefects({ bin, seed: 1 });
    expect(passed(report), describeDefects(report)).toBe(true);
  });
});
