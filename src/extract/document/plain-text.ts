/** Words in brackets, which may contain one more pair, before an address or a name. */
const LINK =
  /!?\[((?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,2000})\](?:\([^()\s]{0,4096}(?: "[^"\n]{0,300}")?\)|\[[^[\]\n]{0,300}\])/g;
const TAG = /<[a-z/][^<>\n]{0,500}>/gi;
const REAL_TAG = /(?<!\\)<[a-z/][^<>\n]{0,500}>/gi;
const SIGN = /(?<!\\)(?:\*{1,3}|`+|~~|(?<!\w)_{1,3}|_{1,3}(?!\w))/g;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/** Inline Markdown as a reader sees it: without emphasis, addresses, tags and escapes. */
export function plainText(inline: string): string {
  return unmarked(inline, REAL_TAG);
}

/** The same, also without escaped tags: refs of documents are made from it, and must not change. */
export function structureText(inline: string): string {
  return unmarked(inline, TAG);
}

function unmarked(inline: string, tag: RegExp): string {
  return inline.replace(LINK, '$1').replace(LINK, '$1').replace(tag, '').replace(SIGN, '').replace(ESCAPE, '$1').trim();
}
