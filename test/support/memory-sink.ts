import type { Chunk, Sink, SyncedPage } from '../../src/sync/sink.ts';

/** An index that ends with its process: the shortest sink that fulfils the contract, including vectors. */
export interface MemorySink extends Sink {
  readonly stored: ReadonlyMap<string, SyncedPage>;
}

export function createMemorySink(stored = new Map<string, SyncedPage>()): MemorySink {
  const vectorsOf = (url: string) =>
    new Map((stored.get(url)?.sections ?? []).flatMap(({ chunks }) => chunks.map(({ id, vector }) => [id, vector])));
  return {
    stored,
    async *pages() {
      for (const { url, source, checksum } of [...stored.values()]) yield { url, source, checksum };
    },
    async held(url) {
      const page = stored.get(url);
      if (page === undefined) return undefined;
      const { source, checksum } = page;
      const sections = page.sections.map(({ anchor, checksum, chunks }) => ({
        anchor,
        checksum,
        chunks: chunks.map(({ id, fingerprint }) => ({ id, fingerprint })),
      }));
      return { url, source, checksum, sections };
    },
    async put(page) {
      const vectors = vectorsOf(page.url);
      const kept = (chunk: Chunk): Chunk => {
        const vector = chunk.vector ?? vectors.get(chunk.id);
        return vector === undefined ? chunk : { ...chunk, vector };
      };
      const sections = page.sections.map((section) => ({ ...section, chunks: section.chunks.map(kept) }));
      stored.set(page.url, { ...page, sections });
    },
    async remove(url) {
      stored.delete(url);
    },
  };
}
