import { setTimeout as pause } from 'node:timers/promises';
import { startMonitoredHub } from './hub-cost-hub.ts';
import { cpuSecondsOf } from './hub-processes.ts';

/** A start is under way, and far from its end. */
const STARTING_MS = 3000;
const SETTLED_MS = 2000;

/** How a hub starts on a log that none of its documents has followed: told to stop on the way, then to its end. */
export async function catchUp(folder: string) {
  const first = startMonitoredHub(folder);
  await pause(STARTING_MS);
  const stopStartingMs = await first.stop();
  const stopped = first.blocks();
  const hub = startMonitoredHub(folder);
  const since = performance.now();
  await hub.url;
  const seconds = Number(((performance.now() - since) / 1000).toFixed(1));
  await pause(SETTLED_MS);
  const cpuSeconds = Number(cpuSecondsOf(hub.pid).toFixed(1));
  const blocks = [stopped, hub.blocks()];
  const wallMs = Math.max(...blocks.map((each) => each.wallMs));
  const cpuMs = Math.max(...blocks.map((each) => each.cpuMs));
  const stopRunningMs = await hub.stop();
  return {
    seconds,
    cpuSeconds,
    blockCpuMs: Math.round(cpuMs),
    blockWallMs: Math.round(wallMs),
    stopStartingMs,
    stopRunningMs,
  };
}
