import { countTokens } from '../extract/document/count-tokens.ts';
import { preambleMarkdown } from '../extract/preamble-markdown.ts';
import type { Page } from '../model/page.ts';
import { chunkSection } from './chunk-section.ts';
import type { ChunkPipeline } from './pipeline.ts';
import type { SyncedPage, SyncedSection } from './sink.ts';

export interface PageOrigin {
  readonly source: string;
  readonly updated: string;
}

/** A page as an index holds it, with chunks but without vectors. */
export function makePage(page: Page, { source, updated }: PageOrigin, pipeline: ChunkPipeline): SyncedPage {
  const { url, title, checksum, markdown } = page;
  const { fingerprint, settings } = pipeline;
  const cut = (section: Omit<SyncedSection, 'chunks'>): SyncedSection => ({
    ...section,
    chunks: chunkSection({ url, ...section }, { ...settings, countTokens, fingerprint }),
  });
  const preamble = preambleMarkdown(page);
  const sections = [
    ...(preamble === '' ? [] : [cut({ anchor: '', heading: '', markdown: preamble, checksum: page.preamble })]),
    ...page.sections.map((section) =>
      cut({
        anchor: section.anchor,
        heading: section.heading,
        markdown: section.markdown,
        checksum: section.checksum,
      }),
    ),
  ];
  return { url, title, source, checksum, updated, markdown, sections };
}

/** The same page with the fingerprint that is now known. */
export function withFingerprint(page: SyncedPage, fingerprint: string): SyncedPage {
  const sections = page.sections.map((section) => ({
    ...section,
    chunks: section.chunks.map((chunk) => ({ ...chunk, fingerprint })),
  }));
  return { ...page, sections };
}
