import { passed, type TortureReport } from './harness.ts';

export interface HubReport extends TortureReport {
  /** Of the random choices. What the hub and the sockets do is another thing each time. */
  readonly seed: number;
  readonly figures: Readonly<Record<string, number>>;
  /** The change that a reader waited for longest. */
  readonly slowest: string;
  /** One line per thing that went wrong, the first ones. */
  readonly complaints: readonly string[];
}

export function describeHub(report: HubReport): string {
  const counts = (record: Readonly<Record<string, number>>) =>
    Object.entries(record)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ');
  const head = `${report.name} (seed ${report.seed}): ${report.rounds} rounds, ${report.hits} hits`;
  return [
    `${head}: ${counts(report.wrong)}: ${passed(report) ? 'ok' : 'FAILED'}`,
    `  ${counts(report.figures)}; the slowest: ${report.slowest}`,
    ...report.complaints.map((line) => `  ${line}`),
  ].join('\n');
}
