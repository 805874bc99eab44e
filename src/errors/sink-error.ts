/** Why an index does not accept a page. Its previous content is still there. */

import { CodedError } from './coded-error.ts';

/** The index cannot be reached or written now: down, locked, read-only, slow. The page is written at the next attempt. */
export function sinkUnavailableError(place: string, cause: unknown): CodedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `${place} is not available: ${reason}. What it held before is still there; sync again when it is well.`;
  return new CodedError('SinkUnavailableError', 'retry-later', message, { place, cause });
}

/** Something with the same name exists that Tidings did not make. It stays as it is. */
export function sinkSchemaError(place: string, what: string): CodedError {
  const remedy = 'Nothing was written. Name another place for the index, or rename what is there.';
  return new CodedError('SinkSchemaError', 'fix-config', `${place}: ${what}. ${remedy}`, { place });
}

/** The stored vectors have another number of components, so no query could be compared with both. */
export function sinkDimensionError(place: string, held: number, wanted: number): CodedError {
  const message =
    `${place} holds vectors of dimension ${held}, and the embedding model gives ${wanted}. Nothing was written. ` +
    'Sync into a new place and switch over once it is complete, or go back to the model that made these.';
  return new CodedError('SinkDimensionError', 'fix-config', message, { place, held, wanted });
}

/** A vector that no index can compare: components are not numbers, or there are too few or too many. */
export function vectorRefusedError(chunk: string, why: string): CodedError {
  const message = `The vector of the chunk ${chunk} is refused: ${why}. Nothing of its page was written. Check the embedding server.`;
  return new CodedError('VectorRefusedError', 'fix-input', message, { chunk });
}

/** A package that a sink needs is not installed: `npm i tidings` stays light. */
export function sinkPartMissingError(place: string, part: string, remedy: string, cause?: unknown): CodedError {
  const message = `${place} needs ${part}, which is missing. ${remedy}`;
  return new CodedError('SinkPartMissingError', 'fix-config', message, { place, part, cause });
}

/** The file is not a valid index. It can be rebuilt completely from the sites. */
export function sinkDamagedError(place: string, cause: unknown): CodedError {
  const message = `${place} is damaged, or no index at all. Nothing was written. Move it away and sync again: all of it is made anew.`;
  return new CodedError('SinkDamagedError', 'fix-input', message, { place, cause });
}

/** A search needs an existing index. */
export function sinkMissingError(place: string): CodedError {
  const message = `${place} holds no index. Make one first: tidings sync <url> --to sqlite:${place}`;
  return new CodedError('SinkMissingError', 'fix-input', message, { place });
}
