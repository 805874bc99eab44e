import { setTimeout as pause } from 'node:timers/promises';
import { comparePairs } from './cluster-hub-pairs.ts';
import { ClusterHub, type ClusterHubOptions, until } from './cluster-hub-world.ts';
import type { TortureReport } from './harness.ts';

export interface ProjectorsReport extends TortureReport {
  readonly seen: Readonly<Record<string, number>>;
}

const EDITED_MS = 12_000;
const SETTLE_MS = 60_000;

/** Two servers that both make the documents, planted: their readers must find two histories. */
export async function plantTwoProjectors(options: Omit<ClusterHubOptions, 'flaw'>): Promise<ProjectorsReport> {
  await using hub = await ClusterHub.open({ ...options, flaw: 'two-projectors' });
  await pause(EDITED_MS);
  hub.rest();
  await until(() => hub.world.ledger.open === 0, SETTLE_MS);
  const pairs = await comparePairs(hub, 400);
  await hub.audience.finish();
  const { holes, changedBytes } = hub.audience.wrong;
  const seen = {
    'histories that fork': holes,
    'entries that change': changedBytes,
    'differing bytes': pairs.wrong['differing bytes'] ?? 0,
  };
  const caught = Object.values(seen).some((count) => count > 0) ? 1 : 0;
  return {
    name: 'cluster-hub, two projectors planted',
    rounds: 1,
    hits: caught,
    wrong: { 'not caught': 1 - caught },
    seen,
  };
}

export function describeProjectors({ name, hits, seen }: ProjectorsReport): string {
  const counts = Object.entries(seen).map(([what, count]) => `${count} ${what}`);
  return `${name}: ${hits === 1 ? 'caught' : 'NOT CAUGHT'} (${counts.join(', ')})`;
}
