import { sinkDimensionError, sinkSchemaError } from '../errors/sink-error.ts';

/** What a database has of an index. */
export interface IndexTables {
  /** Whether the index was begun. */
  readonly isThere: boolean;
  /** Of the vectors that are kept; absent where none are. */
  readonly dimension?: number;
}

export interface VectorPlace {
  /** For messages. */
  readonly place: string;
  readonly maxDimension: number;
}

/** Throws where vectors of one dimension are wanted and others are kept, or none of it can be. */
export function ensureDimension(
  { place, maxDimension }: VectorPlace,
  held: number | undefined,
  wanted: number | undefined,
): void {
  if (wanted === undefined) return;
  if (held !== undefined && held !== wanted) throw sinkDimensionError(place, held, wanted);
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= maxDimension) return;
  throw sinkSchemaError(place, `it keeps vectors of 1 to ${maxDimension} components, not ${wanted}`);
}
