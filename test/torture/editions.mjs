const PAGES = 20;

/** The file that an edition edits. */
export function pageOf(edition) {
  return `page-${edition % PAGES}.html`;
}

/** A page in one edition: one of its sections says which. */
export function editionHtml(edition) {
  const page = edition % PAGES;
  return `<!doctype html><title>Page ${page}</title><main><h1>Page ${page}</h1><p>Introduction.</p>
<h2 id="stays">Stays</h2><p>This never changes.</p>
<h2 id="changes">Changes</h2><p>This is edition ${edition}.</p>
<h2 id="also-stays">Also stays</h2><p>Neither does this.</p></main>\n`;
}

/** Every page in its first edition. */
export const FIRST_EDITIONS = Array.from({ length: PAGES }, (_, edition) => edition);
