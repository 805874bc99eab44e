import { vectorRefusedError } from '../errors/sink-error.ts';
import type { SyncedPage } from './sink.ts';

/** The vectors of a page by the id of their chunk: all of one dimension, with numbers only. Throws before anything of the page is written. */
export function ensureVectors(page: SyncedPage, dimension: number | undefined): ReadonlyMap<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  for (const { id, vector } of page.sections.flatMap(({ chunks }) => chunks)) {
    if (vector === undefined) continue;
    const wanted = dimension ?? vectors.values().next().value?.length ?? vector.length;
    if (vector.length === 0) throw vectorRefusedError(id, 'it is empty');
    if (vector.length !== wanted) throw vectorRefusedError(id, `it has ${vector.length} components, not ${wanted}`);
    if (!vector.every(Number.isFinite)) throw vectorRefusedError(id, 'a component is no number');
    vectors.set(id, vector);
  }
  return vectors;
}
