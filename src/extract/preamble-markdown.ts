import type { Page } from '../model/page.ts';

/** The Markdown before the first heading: that of the page without its sections at the end. */
export function preambleMarkdown({ markdown, sections }: Pick<Page, 'markdown' | 'sections'>): string {
  const rest = sections.flatMap((section) => section.markdown || []).join('\n\n');
  return rest !== '' && markdown.endsWith(rest) ? markdown.slice(0, -rest.length).trimEnd() : markdown.trimEnd();
}
