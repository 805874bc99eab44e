import { othersFirst } from '../log/others-first.ts';
import type { ReadingTurns } from './site-source.ts';

/** The event loop gets a turn after this many files. */
const FILES_PER_TURN = 256;

/** While files are read: gives the event loop a turn now and then, reports progress, and stops if the signal is aborted. */
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
