/** A longer text is content, whatever is beside it. */
const MAX_TEXT_AROUND = 600;
const RESULTS = /search-?results?\b/gi;
/** The maximum number of places with such a name that are examined, … */
const MAX_PLACES = 20;
/** … and how much of each tag on both sides. */
const MAX_TAG = 300;
const NAMED_SO = /<(?:div|section|ul|ol)\s[^<>]*\b(?:id|class)\s*=\s*["']?[^<>"'=]*$/i;
const AND_EMPTY = /^[^<>]*>\s*<\//;

/** Whether a page only shows search results by a script. Its remaining text then belongs to the theme. */
export function isSearchTool(html: string, markdown: string): boolean {
  if (markdown.length > MAX_TEXT_AROUND) return false;
  let places = 0;
  for (const { index } of html.matchAll(RESULTS)) {
    places += 1;
    if (places > MAX_PLACES) return false;
    const isNamedSo = NAMED_SO.test(html.slice(Math.max(0, index - MAX_TAG), index));
    if (isNamedSo && AND_EMPTY.test(html.slice(index, index + MAX_TAG))) return true;
  }
  return false;
}
