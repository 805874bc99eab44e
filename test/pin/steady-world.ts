import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';
import { openSteadyTimers } from './steady-timers.ts';

/**
 * A clock that stands until it is moved, and randomness that is the same in every run.
 *
 * Timers of a second or more go by this clock too: what a hub plans for later would come by how busy the machine is. Intervals
 * of that length never ring. Shorter timers, by which work is handed over, are real.
 */
export interface SteadyWorld {
  /** Sets the clock, begins the randomness anew from the name of the moment, and rings the timers that are due by then. */
  enter(moment: string, atMs: number): void;
  /** Puts the real clock, the real timers and the real randomness back. */
  leave(): void;
}

const { randomBytes, randomUUID } = crypto;
const { random } = Math;

export function openSteadyWorld(): SteadyWorld {
  let moment = '';
  /** How often bytes of a length were drawn: what draws another length moves nothing here. */
  let drawn = new Map<number, number>();

  const draw = (length: number): Buffer => {
    const count = (drawn.get(length) ?? 0) + 1;
    drawn.set(length, count);
    const blocks: Buffer[] = [];
    for (let block = 0; block * 32 < length; block += 1) {
      blocks.push(crypto.createHash('sha256').update(`${moment} ${length} ${count} ${block}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, length);
  };
  const uuid = () => {
    const hex = draw(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };

  vi.useFakeTimers({ toFake: ['Date'] });
  patch({ randomBytes: draw, randomUUID: uuid, random: () => 0.5 });
  const timers = openSteadyTimers();
  return {
    enter(name, atMs) {
      moment = name;
      drawn = new Map();
      vi.setSystemTime(atMs);
      timers.ringUntil(atMs);
    },
    leave() {
      vi.useRealTimers();
      timers.leave();
      patch({ randomBytes, randomUUID, random });
    },
  };
}

interface Sources {
  readonly randomBytes: unknown;
  readonly randomUUID: unknown;
  readonly random: () => number;
}

/** Also for modules that have imported these functions by name. */
function patch({ random: fraction, ...functions }: Sources): void {
  Object.assign(crypto, functions);
  Math.random = fraction;
  syncBuiltinESMExports();
}
