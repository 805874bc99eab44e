import type { DocumentHeading } from '../../codecs/aidocument/wire.ts';
import { blankBlocks } from './markdown-code.ts';
import { structureText } from './plain-text.ts';
import { shortText } from './short-text.ts';

const MAX_HEADINGS = 10_000;
const MAX_TEXT = 1000;

const HASHES = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
/** Lines that do not become headings by an underline. */
const NO_PARAGRAPH = /^(?:\s*$| {0,3}(?:[-*+>#|]|\d+[.)])(?:\s|$)| {4}|\t)/;
const CLOSING_HASHES = /(?:^|[ \t])#+$/;
const ID = /\{#([\w:.-]{1,200})[^{}]{0,200}\}$/;

/** Headings with `#` and underlined headings, outside code, with the id from `{#id}`. */
export function markdownHeadings(markdown: string): DocumentHeading[] {
  const headings: DocumentHeading[] = [];
  const lines = blankBlocks(markdown).split('\n');
  for (const [at, line] of lines.entries()) {
    if (headings.length >= MAX_HEADINGS) break;
    const before = lines[at - 1] ?? '';
    const [, hashes, marked = ''] = HASHES.exec(line) ?? [];
    const [, underline] = UNDERLINE.exec(line) ?? [];
    if (hashes !== undefined) {
      headings.push(...headingOf(hashes.length, marked));
    } else if (underline !== undefined && !NO_PARAGRAPH.test(before) && !UNDERLINE.test(before)) {
      headings.push(...headingOf(underline.startsWith('=') ? 1 : 2, before));
    }
  }
  return headings;
}

function headingOf(level: number, inline: string): DocumentHeading[] {
  const trimmed = inline.trim();
  const [whole = '', id] = ID.exec(trimmed) ?? [];
  const words = trimmed.slice(0, trimmed.length - whole.length).trimEnd();
  const text = shortText(structureText(words.replace(CLOSING_HASHES, '')), MAX_TEXT);
  return text === '' ? [] : [{ level, text, ...(id !== undefined && { id }) }];
}
