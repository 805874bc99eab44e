import { isUlid } from '../codecs/primitives/ulid.ts';

/**
 * A place in the log of a hub, as its readers store it: the id of their last change, and the epoch of the log once it has one.
 *
 *     01ARZ3NDEKTSV4RRFFQ69G5FAV
 *     01ARZ3NDEKTSV4RRFFQ69G5FAV.5f0c93aa
 *
 * After a restored backup the log may continue differently from what its readers saw: the epoch distinguishes the two.
 */
export interface LogCursor {
  readonly id: string;
  /** Absent if no backup was ever restored, and from readers that only store the id. */
  readonly epoch?: string;
}

/** Sorts before every change. */
export const START_ID = '0'.repeat(26);

const CURSOR = /^([0-9A-Z]{26})(?:\.([0-9A-Za-z_-]{1,32}))?$/;

/** The same as a JSON Schema says it. */
export const CURSOR_PATTERN = '^[0-7][0-9A-HJKMNP-TV-Z]{25}(\\.[0-9A-Za-z_-]{1,32})?$';
export const CURSOR_LENGTH = 26 + 1 + 32;

/** Undefined for a text that no hub has issued. */
export function decodeCursor(text: string): LogCursor | undefined {
  const [, id = '', epoch] = CURSOR.exec(text) ?? [];
  if (!isUlid(id)) return undefined;
  return epoch === undefined ? { id } : { id, epoch };
}

export function encodeCursor(id: string, epoch: string | undefined): string {
  return epoch === undefined ? id : `${id}.${epoch}`;
}

/** The cursor of another change of the same log. */
export function cursorLike(cursor: string | null, id: string): string {
  return encodeCursor(id, cursor === null ? undefined : decodeCursor(cursor)?.epoch);
}
