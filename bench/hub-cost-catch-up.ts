import { setTimeout as pause } from 'node:timers/promises';
import { inTime, sayProgress } from './hub-cost-build.ts';
import { startMonitoredHub } from './hub-cost-hub.ts';
import { cpuSecondsOf } from './hub-processes.ts';

/** A start is in progress, and far from its end. */
const STARTING_MS = 3000;
const SETTLED_MS = 2000;
/** A start that takes longer is aborted. */
const MOST_MS = 300_000;

/** How a hub starts on a log that none of its documents has followed: stopped on the way, then to its end. */
export async function catchUp(folder: string) {
  const first = startMonitoredHub(folder);
  await pause(STARTING_MS);
  const stopStartingMs = await first.stop();
  sayProgress(`told to stop while it started, it ended after ${stopStartingMs} ms`);
  const stopped = first.blocks();
  const hub = startMonitoredHub(folder);
  const since = performance.now();
  const isThere = (await inTime(hub.url, MOST_MS)) !== undefined;
  const seconds = Number(((performance.now() - since) / 1000).toFixed(1));
  await pause(SETTLED_MS);
  const cpuSeconds = Number(cpuSecondsOf(hub.pid).toFixed(1));
  const blocks = [stopped, hub.blocks()];
  const longest = (of: 'wallMs' | 'cpuMs' | 'loadMs') => Math.round(Math.max(...blocks.map((each) => each[of])));
  const stopRunningMs = await hub.stop();
  return {
    seconds,
    isCutOff: Number(!isThere),
    cpuSeconds,
    blockCpuMs: longest('cpuMs'),
    blockWallMs: longest('wallMs'),
    loadMs: longest('loadMs'),
    stopStartingMs,
    stopRunningMs,
  };
}
