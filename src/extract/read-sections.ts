import { ELEMENT_READERS } from './element-readers.ts';
import type { HtmlElement } from './html-tree.ts';
import { type ReadOptions, type SectionDraft, SectionReader } from './section-reader.ts';

/** The content below `root`, split at every heading. The preamble comes first, even if it is empty. */
export function readSections(root: HtmlElement, options: ReadOptions): SectionDraft[] {
  const reader = new SectionReader(root, options, ELEMENT_READERS);
  reader.read(root);
  return reader.finish();
}

/** The Markdown of all sections as one text. */
export function markdownOf(drafts: readonly SectionDraft[]): string {
  return drafts.flatMap(({ markdown }) => markdown || []).join('\n\n');
}
