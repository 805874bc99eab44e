import { plainText } from './document/plain-text.ts';

export const MAX_EXCERPT = 600;

/** This much Markdown contains an excerpt, unless it is nearly all markup. */
const READ_LENGTH = 8000;
const FENCE_LINE = /^ {0,3}(?:> ?){0,3}(?:`{3,}|~{3,}).*$/gm;
/** With three dashes in a row, it is the line below a table head. */
const RULE_LINE = /^[ :|-]+$/gm;
/** Headings, quotations, kinds of notes, list items and numbers, also nested. */
const LINE_MARK = /^ {0,12}(?:#{1,6} |(?:> ?)+|\[![A-Z]{3,9}\] ?|[-*+] |\d{1,9}[.)] |\[\^[^\]\n]{1,100}\]: ?)+/gm;
/** Tags of HTML tables, which separate words. */
const CELL_TAG = /(?<!\\)<\/?(?:table|tr|td|th|ul|ol|li|p|pre|br|dl|dt|dd)(?: [^<>\n]{0,200})?>/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
/** Format characters (direction, joiners, tags), fillers, variation selectors and non-characters. */
const UNSEEN =
  /\p{Cf}|\u034F|[\u17B4\u17B5]|[\u180B-\u180F]|[\u115F\u1160\u3164\uFFA0]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]|\p{Cs}|\p{Co}|\p{Cn}/gu;

/** Invisible characters are never ASCII. Most texts are, and testing properties of each character is expensive. */
const BEYOND_ASCII = /[\u0080-\uFFFF]+/g;

/**
 * The beginning of a section or page as plain text: without markup and invisible characters, on one line, cut at the end of a word. The heading is left out if
 * there is text below it. Undefined if there is no text.
 */
export function excerptOf(markdown: string): string | undefined {
  const read = markdown.slice(0, READ_LENGTH);
  const body = plain(read.replace(/^#{1,6} [^\n]*(?:\n|$)/, ''));
  const text = body === '' ? plain(read) : body;
  if (text === '') return undefined;
  return text.length <= MAX_EXCERPT ? text : cut(text);
}

function plain(markdown: string): string {
  const unmarked = markdown
    .replace(FENCE_LINE, '')
    .replace(RULE_LINE, (line) => (line.includes('---') ? '' : line))
    .replace(LINE_MARK, '')
    .replace(CELL_TAG, ' ');
  const lines = plainText(unmarked.replace(CONTROLS, ' ').replace(/[^\S\n]?\|[^\S\n]?/g, ' '));
  const seen = lines.replace(BEYOND_ASCII, (run) => run.replace(UNSEEN, ''));
  return seen.replace(/\s+/g, ' ').trim();
}

/** If no word ends nearby, as in Chinese, it cuts between two characters. */
function cut(text: string): string {
  const piece = text.slice(0, MAX_EXCERPT + 1);
  const end = piece.search(/\s\S*$/);
  const kept = end > MAX_EXCERPT / 2 ? piece.slice(0, end) : piece.slice(0, MAX_EXCERPT);
  return kept.replace(/[\uD800-\uDBFF]$/, '').trimEnd();
}
