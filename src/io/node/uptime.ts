import { uptime } from 'node:os';

/** Milliseconds since the machine was started, its sleep included. Setting the clock does not move it. */
export function uptimeMs(): number {
  return uptime() * 1000;
}
