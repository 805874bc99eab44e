import { firstEmptyLine } from '../primitives/bytes.ts';

export interface HeadedNote {
  /** The lines before the first empty one. */
  readonly lines: readonly string[];
  /** All that follows it, untouched: a signed note, which has an empty line of its own. */
  readonly note: Uint8Array;
}

/** A signed note below lines of its own, split at the first empty line; undefined where there is none, or where the lines are not UTF-8. */
export function splitHeadedNote(bytes: Uint8Array): HeadedNote | undefined {
  const split = firstEmptyLine(bytes);
  if (split === -1) return undefined;
  try {
    const head = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, split));
    return { lines: head.split('\n'), note: bytes.subarray(split + 2) };
  } catch {
    return undefined;
  }
}
