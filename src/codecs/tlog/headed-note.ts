import { firstEmptyLine } from '../primitives/bytes.ts';

export interface HeadedNote {
  /** The lines before the first empty one. */
  readonly lines: readonly string[];
  /** Everything after it, untouched: a signed note, which itself contains an empty line. */
  readonly note: Uint8Array;
}

/**
 * Splits a signed note from the lines before it, at the first empty line; undefined if there is none, or if the lines are not
 * UTF-8.
 */
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
