import type { HeldSection, HeldSections } from './sink.ts';

/** A row of `sections`, in the order of the page. */
export interface SectionRow {
  readonly anchor: string;
  readonly checksum: string;
}

/** A row of `chunks`, in the order of its section. */
export interface ChunkRow {
  readonly id: string;
  readonly anchor: string;
  readonly fingerprint: string;
}

/** Database rows in the form in which a sink reports its content. */
export function heldSections(sections: readonly SectionRow[], chunks: readonly ChunkRow[]): HeldSection[] {
  const byAnchor = new Map<string, Pick<ChunkRow, 'id' | 'fingerprint'>[]>(sections.map(({ anchor }) => [anchor, []]));
  for (const { id, anchor, fingerprint } of chunks) byAnchor.get(anchor)?.push({ id, fingerprint });
  return sections.map(({ anchor, checksum }) => ({ anchor, checksum, chunks: byAnchor.get(anchor) ?? [] }));
}

/** A chunk without its expected vector counts as made by no pipeline: the next sync embeds it. */
export function withoutVectorless(held: HeldSections, hasVector: (chunk: string) => boolean): HeldSections {
  const sections = held.sections.map((section) => ({
    ...section,
    chunks: section.chunks.map((chunk) => (hasVector(chunk.id) ? chunk : { ...chunk, fingerprint: '' })),
  }));
  return { ...held, sections };
}
