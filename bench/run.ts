/**
 * Runs all benches, each compared with its peer. `npm run bench`, or `npm run bench -- append` for the files whose name begins so. Further arguments are passed
 * on: `npm run bench -- publish 2000`.
 *
 * Exits with 1 if a goal or a floor is missed.
 */
import { readdirSync } from 'node:fs';
import { type BenchResult, describeResult, writeResult } from './harness.ts';

const [wanted = '', ...sizes] = process.argv.slice(2);
const files = readdirSync(new URL('.', import.meta.url)).filter(
  (file) => /\.bench\.[jt]s$/.test(file) && file.startsWith(wanted),
);
if (files.length === 0) throw new Error(`No bench begins with "${wanted}".`);

for (const file of files) {
  const { bench } = (await import(new URL(file, import.meta.url).href)) as {
    bench: (sizes: readonly string[]) => Promise<BenchResult[]>;
  };
  for (const result of await bench(sizes)) {
    process.stdout.write(`${describeResult(result)}\n`);
    await writeResult(result);
    if (!result.reached || (result.by === 'score' && !result.floorKept)) process.exitCode = 1;
  }
}
