import type { TruePage } from './restless-truth.ts';

/** What an origin puts into a page beside what its authors wrote, as HTML. */
export interface Extras {
  readonly head?: string;
  /** Before everything else. */
  readonly top?: string;
  /** Between the title of the page and its first words. */
  readonly banner?: string;
  /** After the first words, before the first section. */
  readonly lead?: string;
  /** At the end of a section, by its id. */
  readonly inside?: Readonly<Record<string, string>>;
  /** Behind the last section, within the article. */
  readonly end?: string;
  /** The id of a heading, when it is not that of the section. */
  readonly idOf?: (id: string) => string;
  readonly lang?: string;
}

/** A page as a documentation site serves it, with the menu of all its pages. */
export function restlessHtml(page: TruePage, menu: Iterable<TruePage>, extras: Extras = {}): string {
  const { head = '', top = '', banner = '', lead = '', inside = {}, end = '', idOf = (id) => id, lang = 'en' } = extras;
  const links = Array.from(menu, ({ path, title }) => `<li><a href="${path}">${title}</a></li>`);
  const sections = page.sections.map(
    ({ id, heading, paragraphs }) => `<h2 id="${idOf(id)}">${heading}</h2>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
${inside[id] ?? ''}`,
  );
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>${page.title} | Harbor Docs</title>${head}</head>
<body>${top}
<header class="site-header"><a class="logo" href="/">Harbor</a><nav><ul>${links.join('')}</ul></nav></header>
<main><article class="doc">
<h1>${page.title}</h1>
${banner}<p class="intro">${page.lead}</p>
${lead}${sections.join('\n')}
${end}</article></main>
<footer><p>© 2026 Harbor Ltd.</p><a href="/imprint">Imprint</a></footer>
</body></html>
`;
}
