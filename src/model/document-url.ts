/** What ends like this is one document; nothing stands below it. */
const DOCUMENT = /\.(?:html?|xhtml|php\d?|aspx?|jsp|pdf|txt|md|markdown|json|xml)$/i;

/** By its address alone: one document, and not the beginning of a site. */
export function isDocumentUrl({ pathname, search }: URL): boolean {
  return search !== '' || DOCUMENT.test(pathname);
}
