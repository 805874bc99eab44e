/**
 * `](address)` or `](address "title")`, with the address as a group. Parentheses in it must be balanced.
 *
 * Repeats only character classes, and the group around them a limited number of times: a regular expression keeps its backtracking positions on a stack.
 */
export const MARKDOWN_LINK = /\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*){0,50})(?: "[^"\n]{0,300}")?\)/g;
