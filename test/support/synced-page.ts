import { createHash } from 'node:crypto';
import type { Chunk, Pipeline, SyncedPage, SyncedSection } from '../../src/sync/sink.ts';

export const PAGE_URL = 'https://docs.example/guide/';
export const PLAIN: Pipeline = { fingerprint: 'plain' };
export const EMBEDDED: Pipeline = { fingerprint: 'toy:3', embedding: { model: 'toy', dimension: 3 } };

/** A section of a test page: its anchor and its text. Its lines are the chunks. */
export type SectionText = readonly [anchor: string, markdown: string];

export interface PageParts {
  readonly url?: string;
  readonly source?: string;
  readonly title?: string;
  readonly updated?: string;
  readonly pipeline?: Pipeline;
  /** Which chunks come with a vector. Default: all, if the pipeline embeds. */
  readonly hasVector?: (text: string) => boolean;
}

/** A page like the sync flow puts it. */
export function syncedPage(sections: readonly SectionText[], parts: PageParts = {}): SyncedPage {
  const { url = PAGE_URL, source = 'docs_example', title = 'Guide', updated = '2026-01-02T03:04:05Z' } = parts;
  const markdown = sections.map(([, text]) => text).join('\n\n');
  return {
    url,
    source,
    title,
    updated,
    markdown,
    checksum: checksumOf(`${title}\n${markdown}`),
    sections: sections.map((section) => syncedSection(section, { ...parts, url })),
  };
}

/** Numbers that depend only on the text and are exact in 32 bits. */
export function toyVector(text: string, dimension = 3): Float32Array {
  const bytes = createHash('sha256').update(text).digest();
  return Float32Array.from({ length: dimension }, (_, index) => ((bytes[index % 32] ?? 0) + 1) / 256);
}

function syncedSection([anchor, markdown]: SectionText, parts: PageParts & { readonly url: string }): SyncedSection {
  const { url, pipeline = PLAIN, hasVector = () => true } = parts;
  const texts = markdown === '' ? [] : markdown.split('\n');
  return {
    anchor,
    heading: anchor === '' ? '' : `Heading of ${anchor}`,
    markdown,
    checksum: checksumOf(markdown),
    chunks: texts.map((text, position): Chunk => {
      const id = checksumOf(`${url}\n${anchor}\n${text}\n${position}`).slice('sha256:'.length, 40);
      const { fingerprint, embedding } = pipeline;
      const vector = embedding && hasVector(text) ? { vector: toyVector(text, embedding.dimension) } : {};
      return { id, position, text, tokens: text.length, fingerprint, ...vector };
    }),
  };
}

function checksumOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
