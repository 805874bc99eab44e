/**
 * Every torture at full length. `npm run torture`, or `npm run torture -- 100` for fewer rounds.
 *
 * Ends with 1 when a promise was broken, or when no kill hit any work.
 */
import { tortureAppend } from './append.ts';
import { describeOrigins, tortureOrigins } from './broken-origins.ts';
import { fillDisk } from './full-disk.ts';
import { describeReport, passed, type TortureReport } from './harness.ts';
import { torturePublish } from './publish.ts';
import { traceAppends } from './sync-trace.ts';

const rounds = Number(process.argv[2] ?? 1000);
const tortures: readonly (() => Promise<TortureReport>)[] = [
  () => tortureAppend({ store: 'sqlite', rounds }),
  () => tortureAppend({ store: 'file', rounds }),
  () => torturePublish(rounds),
];

for (const torture of tortures) {
  const report = await torture();
  print(describeReport(report));
  if (!passed(report)) process.exitCode = 1;
}
for (const store of ['sqlite', 'file'] as const) {
  const trace = await traceAppends(store, { appends: rounds });
  print(
    trace === undefined
      ? `fsync (${store}): skipped, strace is not here or may not trace`
      : `fsync (${store}): ${trace.acks} acks, ${trace.unsynced} without a prior fsync`,
  );
  if (trace !== undefined && (trace.unsynced > 0 || trace.acks !== rounds)) process.exitCode = 1;
}
const origins = await tortureOrigins({ deadlineMs: 20_000 });
print(describeOrigins(origins));
if (!passed(origins) || origins.hits !== origins.rounds) process.exitCode = 1;
for (const store of ['sqlite', 'file'] as const) {
  const story = await fillDisk(store);
  if (story === undefined) {
    print(`full disk (${store}): skipped, this user may not mount a small one`);
    continue;
  }
  const { acked, readAtLast, error } = story;
  const same = acked.length === readAtLast.length && acked.every((id, index) => id === readAtLast[index]);
  print(
    `full disk (${store}): ${error?.name}; ${acked.length} acked, ${readAtLast.length} stored, ${same ? 'the same' : 'NOT the same'}`,
  );
  if (!same || error === undefined) process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
