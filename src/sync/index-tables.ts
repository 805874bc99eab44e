import { sinkDimensionError, sinkSchemaError } from '../errors/sink-error.ts';

/** The state of an index in a database. */
export interface IndexTables {
  /** Whether the index exists. */
  readonly isThere: boolean;
  /** Of the stored vectors; absent if there are none. */
  readonly dimension?: number;
}

export interface VectorPlace {
  /** For messages. */
  readonly place: string;
  readonly maxDimension: number;
}

/** Throws if the stored vectors have another dimension than wanted, or if vectors cannot be stored. */
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
