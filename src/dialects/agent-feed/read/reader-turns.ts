import type { ReaderState } from './reader-state.ts';
import { turnsOn } from './turns.ts';

/**
 * Two sources of one origin, and an operator beside them, share what is known about it. Only one at a time reads and writes that.
 * Within a turn, the readers also take turns by feed.
 */
export function inTurn<T>(state: ReaderState, { host }: URL, work: () => Promise<T>): Promise<T> {
  return turnsOn(state).take(`host ${host}`, work);
}

/** The same for a generator: the turn ends when the generator ends. */
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
