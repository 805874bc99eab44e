import type { ReadRange } from './log.ts';

/**
 * The meaning of a range in every log: `after` is a whole number of at least 0; without `limit` the range is unlimited. Throws a RangeError for a
 * limit that is not a whole number of at least 0.
 */
export function readBounds({ after = 0, limit = Number.POSITIVE_INFINITY }: ReadRange): Required<ReadRange> {
  if (!(Number.isInteger(limit) && limit >= 0) && limit !== Number.POSITIVE_INFINITY) {
    throw new RangeError(`The limit ${limit} is not a whole number of at least 0.`);
  }
  return { after: after > 0 ? Math.floor(after) : 0, limit };
}
