import { type ClusterReport, tortureClusterClocks, tortureClusterKills, tortureClusterStops } from './cluster.ts';
import type { TortureReport } from './harness.ts';

interface ClusterDefects {
  readonly bin: string;
  readonly seed: number;
}

export interface DefectsReport extends TortureReport {
  /** How often each defect was seen, by the count that must see it. */
  readonly seen: Readonly<Record<string, number>>;
}

/** Planted defects, each of which its judge must find. */
export async function tortureClusterDefects({ bin, seed }: ClusterDefects): Promise<DefectsReport> {
  const seen: Record<string, number> = {};
  const plant = async (what: string, counts: readonly string[], torture: () => Promise<ClusterReport>) => {
    const { wrong } = await torture();
    for (const count of counts) seen[`${what}: ${count}`] = wrong[count] ?? 0;
  };
  await plant('plain sequence', ['passed over'], () =>
    tortureClusterKills({ bin, seed, rounds: 8, flaw: 'plain-sequence' }),
  );
  await plant('no fencing', ['stale'], () => tortureClusterStops({ bin, seed, rounds: 9, flaw: 'no-fence' }));
  await plant("worker's clock", ['off the clock', 'misplanned'], () =>
    tortureClusterClocks({ bin, seed, rounds: 2, flaw: 'own-clock' }),
  );
  const caught = Object.values(seen).filter((count) => count > 0).length;
  const rounds = Object.keys(seen).length;
  return { name: 'cluster, planted defects', rounds, hits: caught, wrong: { 'not caught': rounds - caught }, seen };
}

export function describeDefects({ name, rounds, hits, seen }: DefectsReport): string {
  const counts = Object.entries(seen).map(([what, count]) => `${what} ${count}`);
  return `${name}: ${hits} of ${rounds} caught (${counts.join(', ')}): ${hits === rounds ? 'ok' : 'FAILED'}`;
}
