import { ELEMENT_READERS } from './element-readers.ts';
import type { HtmlElement } from './html-tree.ts';
import { type ReadOptions, type SectionDraft, SectionReader } from './section-reader.ts';

/** The content below `root`, cut at every heading; the preamble comes first, empty or not. */
export function readSections(root: HtmlElement, options: ReadOptions): SectionDraft[] {
  const reader = new SectionReader(root, options, ELEMENT_READERS);
  reader.read(root);
  return reader.finish();
}

/** The Markdown of all sections as one text. */
export function markdownOf(drafts: readonly SectionDraft[]): string {
  return drafts.flatMap(({ markdown }) => markdown || []).join('\n\n');
}
