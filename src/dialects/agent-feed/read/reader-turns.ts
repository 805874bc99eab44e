import type { ReaderState } from './reader-state.ts';
import { turnsOn } from './turns.ts';

/**
 * Two sources of one origin, and an operator beside them, share what is known of it: one at a time reads and writes that. The
 * readers take turns by feed inside of this.
 */
export function inTurn<T>(state: ReaderState, { host }: URL, work: () => Promise<T>): Promise<T> {
  return turnsOn(state).take(`host ${host}`, work);
}

/** The same for what is read piece by piece: the turn ends with the last piece. */
export async function* generateInTurn<T, End>(
  state: ReaderState,
  url: URL,
  work: () => AsyncGenerator<T, End>,
): AsyncGenerator<T, End> {
  let end = () => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  await new Promise<void>((begin, fail) => {
    inTurn(state, url, () => {
      begin();
      return isOver;
    }).catch(fail);
  });
  try {
    return yield* work();
  } finally {
    end();
  }
}
