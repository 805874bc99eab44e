/**
 * Loaded into a hub (`node --import`): writes into the file TIDINGS_BENCH_BLOCKS how long the event loop was blocked at most, in wall time and in CPU time of
 * the thread. Loading of modules is counted separately, because nobody is served yet.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import Module from 'node:module';

const file = process.env.TIDINGS_BENCH_BLOCKS;
const EVERY_MS = 5;
/** Until its database is open, the process only loads its code. */
const LOADING_FILE = process.env.TIDINGS_BENCH_DATABASE ?? '';
const longest = { wallMs: 0, cpuMs: 0, loadMs: 0, ticks: 0 };
let isLoading = true;
let [wall, cpu, loaded, depth] = [performance.now(), threadMs(), 0, 0];

/** proc(5): nanoseconds that the first thread of the process spent on a core. */
function threadMs() {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

const load = Module._load;
Module._load = function loadCounted(...args) {
  if (depth > 0) return load.apply(this, args);
  const before = threadMs();
  depth += 1;
  try {
    return load.apply(this, args);
  } finally {
    depth -= 1;
    loaded += threadMs() - before;
  }
};

setInterval(() => {
  const [nowWall, nowCpu] = [performance.now(), threadMs()];
  longest.ticks += 1;
  if (isLoading) isLoading = !existsSync(`${LOADING_FILE}-wal`);
  else {
    const found = { wallMs: nowWall - wall, cpuMs: nowCpu - cpu - loaded, loadMs: loaded };
    const isLonger = Object.entries(found).some(([name, ms]) => ms > longest[name]);
    for (const [name, ms] of Object.entries(found)) longest[name] = Math.max(longest[name], ms);
    if (isLonger && file !== undefined) writeFileSync(file, JSON.stringify(longest));
  }
  [wall, cpu, loaded] = [performance.now(), threadMs(), 0];
}, EVERY_MS).unref();
