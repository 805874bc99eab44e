import { type Asker, boundBy, EVERYBODY } from './asker.ts';
import type { HostMemory } from './host-memory.ts';

/** A pause that a host asked for. */
export interface HostPause {
  /** The host that asked for it, with its port unless it is the default one. */
  readonly by: string;
  readonly untilMs: number;
}

/**
 * The pauses that hosts asked for. Each lasts at most a day and applies to those whom it binds: see {@link Asker}. http and https of one host share
 * their pauses.
 */
export interface HostPauses {
  /** Until when this asker must not ask the host; 0 if nothing prevents it. */
  until(host: string, asker: Asker | undefined): Promise<number>;
  extend(host: string, asker: Asker | undefined, untilMs: number): Promise<void>;
  /** The longest pause that keeps an asker from a host: of its own hosts, or one that the asker itself was told. */
  longestOf(asker: Asker): Promise<HostPause | undefined>;
  /** Ends all of these: an operator wants the hosts asked now. */
  clear(asker: Asker): Promise<void>;
}

/** The limit for what a host asks for and for what an older file or a wrong clock has left. */
export const LONGEST_HOST_PAUSE_MS = 24 * 3600_000;

/** From this number on, expired pauses are removed. */
const MANY_PAUSES = 500;

export interface HostPausesOptions {
  readonly memory: HostMemory;
  readonly now: () => number;
}

export function createHostPauses({ memory, now }: HostPausesOptions): HostPauses {
  /** A time beyond the longest pause was written under a wrong clock. */
  const inForce = (untilMs: number) => {
    const leftMs = untilMs - now();
    return leftMs > 0 && leftMs <= LONGEST_HOST_PAUSE_MS ? untilMs : 0;
  };
  /** A server that answers under ever new names must not fill the memory. */
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

/** A host name contains no space. */
function keyOf(host: string, bound: string): string {
  return bound === EVERYBODY ? host : `${host} ${bound}`;
}
