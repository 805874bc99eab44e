/**
 * `](address)` or `](address "title")`, with the address as a group; parentheses in it come in pairs.
 *
 * Loops over classes only, and a bounded one round them: a regular expression keeps its way back on a stack.
 */
export const MARKDOWN_LINK = /\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*){0,50})(?: "[^"\n]{0,300}")?\)/g;
