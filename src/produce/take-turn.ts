import { othersFirst } from '../log/others-first.ts';
import type { ReadingTurns } from './site-source.ts';

/** Files after which the event loop gets a turn. */
const FILES_PER_TURN = 256;

/** Lets others have a turn now and then while files are read, tells how far it is, and stops where that is wanted. */
export function takeTurn(
  index: number,
  total: number,
  { signal, onProgress }: ReadingTurns,
): Promise<void> | undefined {
  if (index % FILES_PER_TURN !== FILES_PER_TURN - 1) return undefined;
  signal?.throwIfAborted();
  onProgress?.(index, total);
  return othersFirst();
}
