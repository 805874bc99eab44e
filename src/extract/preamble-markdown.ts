import type { Page } from '../model/page.ts';

/** What stands before the first heading: the Markdown of a page without its sections, which end it. */
export function preambleMarkdown({ markdown, sections }: Pick<Page, 'markdown' | 'sections'>): string {
  const rest = sections.flatMap((section) => section.markdown || []).join('\n\n');
  return rest !== '' && markdown.endsWith(rest) ? markdown.slice(0, -rest.length).trimEnd() : markdown.trimEnd();
}
