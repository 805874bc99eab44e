/** A path with one of these endings is a single document; no other pages lie below it. */
const DOCUMENT = /\.(?:html?|xhtml|php\d?|aspx?|jsp|pdf|txt|md|markdown|json|xml)$/i;

/** Decides by the URL alone whether it names one document rather than the start of a site. */
export function isDocumentUrl({ pathname, search }: URL): boolean {
  return search !== '' || DOCUMENT.test(pathname);
}
