import { type Asker, boundBy, EVERYBODY } from './asker.ts';
import type { HostMemory } from './host-memory.ts';

/** A host that asked to be left in peace. */
export interface HostPause {
  /** Who asked for it: the host, with its port where that is not the usual one. */
  readonly by: string;
  readonly untilMs: number;
}

/**
 * The pauses that hosts asked for. Each is kept for at most a day, and for whom it binds: see {@link Asker}. http and https of one host
 * are one.
 */
export interface HostPauses {
  /** Until when this asker leaves the host in peace; 0 where nothing keeps it. */
  until(host: string, asker: Asker | undefined): Promise<number>;
  extend(host: string, asker: Asker | undefined, untilMs: number): Promise<void>;
  /** The longest of those that keep an asker from a host that it asks: its own ones, and those where it was told so itself. */
  longestOf(asker: Asker): Promise<HostPause | undefined>;
  /** Ends all of those: an operator wants it asked now. */
  clear(asker: Asker): Promise<void>;
}

/** Whatever a host asks for, and whatever an older file or a wrong clock has left. */
export const LONGEST_HOST_PAUSE_MS = 24 * 3600_000;

/** So many are worth a look at which of them are over. */
const MANY_PAUSES = 500;

export interface HostPausesOptions {
  readonly memory: HostMemory;
  readonly now: () => number;
}

export function createHostPauses({ memory, now }: HostPausesOptions): HostPauses {
  /** A moment further ahead than any pause was written under another clock. */
  const inForce = (untilMs: number) => {
    const leftMs = untilMs - now();
    return leftMs > 0 && leftMs <= LONGEST_HOST_PAUSE_MS ? untilMs : 0;
  };
  /** Who answers under ever new names must not fill the memory. */
  const dropOver = async () => {
    const marks = await memory.marked('pause');
    if (marks.length < MANY_PAUSES) return;
    for (const { host: key, untilMs } of marks) if (untilMs <= now()) await memory.forget('pause', key);
  };
  const ofAsker = async (asker: Asker) => {
    const marks = await memory.marked('pause');
    return marks.flatMap(({ host: key, untilMs }) => {
      const [by = '', bound = EVERYBODY] = key.split(' ');
      const isOurs = bound === EVERYBODY ? asker.isOwn(by) : bound === asker.name;
      return isOurs ? [{ key, by, untilMs }] : [];
    });
  };
  return {
    async until(host, asker) {
      const bound = boundBy(host, asker);
      const forAll = inForce(await memory.until('pause', host));
      return bound === EVERYBODY ? forAll : Math.max(forAll, inForce(await memory.until('pause', keyOf(host, bound))));
    },
    async extend(host, asker, untilMs) {
      const latestMs = now() + LONGEST_HOST_PAUSE_MS;
      await memory.extend('pause', keyOf(host, boundBy(host, asker)), Math.min(untilMs, latestMs));
      await dropOver();
    },
    async longestOf(asker) {
      const pauses = (await ofAsker(asker)).filter(({ untilMs }) => inForce(untilMs) > 0);
      const [longest] = pauses.sort((one, other) => other.untilMs - one.untilMs);
      return longest && { by: longest.by, untilMs: longest.untilMs };
    },
    async clear(asker) {
      for (const { key } of await ofAsker(asker)) await memory.forget('pause', key);
    },
  };
}

/** No host has a space in it. */
function keyOf(host: string, bound: string): string {
  return bound === EVERYBODY ? host : `${host} ${bound}`;
}
