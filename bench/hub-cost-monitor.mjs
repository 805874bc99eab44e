/**
 * Loaded into a hub (`node --import`): says into the file TIDINGS_BENCH_BLOCKS how long the event loop was blocked at most, as
 * time that passed and as time that the thread itself took.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = process.env.TIDINGS_BENCH_BLOCKS;
const EVERY_MS = 5;
/** Until its database is open the process only loads its code. */
const LOADING_FILE = process.env.TIDINGS_BENCH_DATABASE ?? '';
const longest = { wallMs: 0, cpuMs: 0, ticks: 0 };
let isLoading = true;
let [wall, cpu] = [performance.now(), threadMs()];

/** proc(5): nanoseconds that the first thread of the process spent on a core. */
function threadMs() {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

setInterval(() => {
  const [nowWall, nowCpu] = [performance.now(), threadMs()];
  longest.ticks += 1;
  if (isLoading) {
    isLoading = !existsSync(`${LOADING_FILE}-wal`);
    [wall, cpu] = [performance.now(), threadMs()];
    return;
  }
  const isLonger = nowWall - wall > longest.wallMs || nowCpu - cpu > longest.cpuMs;
  longest.wallMs = Math.max(longest.wallMs, nowWall - wall);
  longest.cpuMs = Math.max(longest.cpuMs, nowCpu - cpu);
  if (isLonger && file !== undefined) writeFileSync(file, JSON.stringify(longest));
  [wall, cpu] = [performance.now(), threadMs()];
}, EVERY_MS).unref();
