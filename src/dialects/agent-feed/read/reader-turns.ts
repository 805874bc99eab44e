import type { ReaderState } from './reader-state.ts';
import { turnsOn } from './turns.ts';

/**
 * Two sources of one origin, and an operator beside them, share what is known of it: one at a time reads and writes that. The
 * readers take turns by feed inside of this.
 */
export function inTurn<T>(state: ReaderState, { host }: URL, work: () => Promise<T>): Promise<T> {
  return turnsOn(state).take(`host ${host}`, work);
}
