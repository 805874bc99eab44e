import { collapseSpace } from './collapse-space.ts';

/**
 * Text inside a line of Markdown: CommonMark with GitHub's tables, strikethrough and footnotes.
 *
 * Spec: https://spec.commonmark.org/0.31.2/, https://github.github.com/gfm/
 */

/** Invisible and meaningless: soft hyphen, zero-width space, word joiner, byte order mark. Joiners of emoji stay. */
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g;
const IN_NEED = /[\\*`<_[\]~&\u00AD\u200B\u2060\uFEFF]| \s|[^\S ]/;

/**
 * Signs that may begin or end markup at their position. The text beyond the edge is unknown, so a sign at the edge counts as markup. An underscore between two
 * letters is harmless, and so is a star between two spaces.
 */
const MARKUP =
  /[`]|\\(?=[!-/:-@[-`{-~]|$)|(?<! )\*|\*(?! )|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<! )~|~(?! )|<(?=[a-z/!?]|$)|&(?=#?\w{1,32};|$)|\[(?=\^|$)|\](?=[([])/giu;
/** Inside a link all brackets must be escaped. */
const MARKUP_IN_LINK = new RegExp(`${MARKUP.source}|[[\\]]`, MARKUP.flags);

/** Escapes text within a line. The writer handles signs that count only at the beginning of a line. */
export function escapeText(text: string, inLink = false): string {
  if (!IN_NEED.test(text)) return text;
  const plain = collapseSpace(text.replace(INVISIBLE, ''));
  return plain.replace(inLink ? MARKUP_IN_LINK : MARKUP, '\\$&');
}

/** A heading, a bullet, a quote, the line under a title, the rule of a table, a definition. */
const LINE_SIGN = /^(?:#{1,6}(?= |$)|[-+*](?= |$)|>|:(?= )|[-=|:][-=|: ]*$)/;
const NUMBER_SIGN = /^(\d{1,9})([.)])(?= |$)/;
/** `[ ]` begins a task, `[name]:` defines a link reference. */
const BRACKET_SIGN = /^\[(?=[ xX]\] |(?:[^\\[\]]|\\.){1,999}\]:)/;

/** Prevents a line of text from being parsed as anything but a paragraph. */
export function escapeLineStart(line: string): string {
  const first = line.charCodeAt(0);
  // Most lines begin with a letter.
  if (first >= 64 && first !== 91 && first !== 124) return line;
  if (line.startsWith('[^')) return line.replace(/^(\[\^[^\]]{1,99}\]):/, '$1\\:');
  return line.replace(LINE_SIGN, '\\$&').replace(NUMBER_SIGN, '$1\\$2').replace(BRACKET_SIGN, '\\[');
}

/** Code between backticks, as many as needed. */
export function inlineCode(code: string): string {
  const fence = '`'.repeat(longestRun(code, /`+/g) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

export function codeBlock(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(code, /^ *`{3,}/gm)) + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The address of a link or image, escaped so that it ends where it should. */
export function destination(url: string): string {
  const safe = /[\s<>"\\`|[\]]/.test(url) ? url.replace(/[\s<>"\\`|[\]]/g, encodeURIComponent) : url;
  return hasPairedParentheses(safe) ? safe : safe.replaceAll('(', '%28').replaceAll(')', '%29');
}

function hasPairedParentheses(url: string): boolean {
  if (!url.includes('(') && !url.includes(')')) return true;
  return /^[^()]*(?:\([^()]*\)[^()]*){0,50}$/.test(url);
}

function longestRun(code: string, run: RegExp): number {
  let longest = 0;
  if (!code.includes('`')) return longest;
  for (const [found] of code.matchAll(run)) longest = Math.max(longest, found.trimStart().length);
  return longest;
}
