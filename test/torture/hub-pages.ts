import { extractPage } from '../../src/extract/extract-page.ts';

/** A page as its author knows it. Its text names every edition, so that no two of them read the same. */
export interface AuthoredPage {
  readonly path: string;
  titleEdition: number;
  readonly sections: { readonly anchor: string; edition: number }[];
  /** Edited without waiting for anyone: see `mayMerge` of the ledger. */
  readonly hurried: boolean;
}

export interface Checksums {
  readonly page: string;
  readonly sections: ReadonlyMap<string, string>;
}

/** What machines write into a page and nobody means: build stamps, nonces, navigation. */
export interface PageNoise {
  readonly stamp: number;
  readonly links: readonly string[];
}

export function renderPage(page: AuthoredPage, { stamp, links }: PageNoise): string {
  const sections = page.sections.map(
    ({ anchor, edition }) =>
      `<h2 id="${anchor}">Part ${anchor}</h2>\n<p>Edition ${edition} of ${anchor} on ${page.path}. ${wordsOf(anchor)}</p>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${titleOf(page)}</title><meta name="build" content="${stamp}">
<script nonce="n${stamp}">window.build = ${stamp};</script><link rel="stylesheet" href="/theme.${stamp}.css"></head>
<body><nav><ul>${links.map((path) => `<li><a href="${path}">${path}</a></li>`).join('')}</ul></nav>
<main><h1>${titleOf(page)}</h1>
<p>An introduction to what stands at ${page.path}, which stays as it is.</p>
${sections.join('\n')}
</main><footer>Build ${stamp}</footer></body></html>
`;
}

/** What the extractor makes of it: the words that a hub has for an edition. */
export function checksumsOf(html: string, url: string): Checksums {
  const { checksum, sections } = extractPage(html, url);
  return { page: checksum, sections: new Map(sections.map((section) => [section.anchor, section.checksum])) };
}

export function sitemapOf(urls: readonly string[]): string {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`);
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`;
}

function titleOf({ path, titleEdition }: AuthoredPage): string {
  return titleEdition === 0 ? `Page ${path}` : `Page ${path}, title ${titleEdition}`;
}

function wordsOf(anchor: string): string {
  return `Whoever reads part ${anchor} learns how the machine is set up, started, watched and put away again, in that order and no other. `.repeat(
    3,
  );
}
