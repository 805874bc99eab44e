import { readXml } from '../primitives/guarded-xml.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { ENTRY_END, ENTRY_START } from './encode-entry.ts';

const FEED_START = '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="';
const FEED_END = '</feed>\n';
/** Every line of an entry is one element: line breaks in texts are written as references. */
const LINE_OF_ENTRY = /^ {4}<(?:id|title|updated|published|author|link|category|summary|content)[ >][^\n]*>$/;
const LIMITS = { maxCharacters: 64 * 1024 * 1024 };

/**
 * Extracts the entries of a feed made by this encoder, byte for byte and in order, so that newer entries can be put before them.
 *
 * @example
 * const earlier = takeAtomEntries(published);
 * if (earlier.ok) encodeAtomFeed(head, [entry, ...earlier.value]);
 */
export function takeAtomEntries(feed: string): Result<readonly string[]> {
  if (!feed.startsWith(FEED_START) || !feed.endsWith(FEED_END)) return notOurs('the document');
  const wellFormed = readXml(feed, LIMITS, 'ATOM-FORM', { open() {}, close() {} });
  if (!wellFormed.ok) return wellFormed;
  const first = feed.indexOf(`\n${ENTRY_START}`);
  if (first === -1) return /<(?:\w+:)?entry\b/.test(feed) ? notOurs('an entry') : accept([]);

  const entries: string[] = [];
  const end = feed.length - FEED_END.length;
  for (let at = first + 1; at < end; ) {
    const close = feed.startsWith(ENTRY_START, at) ? feed.indexOf(ENTRY_END, at) : -1;
    if (close === -1) return notOurs('what follows an entry');
    const lines = feed.slice(at + ENTRY_START.length, close - 1).split('\n');
    if (!lines.every((line) => LINE_OF_ENTRY.test(line))) return notOurs(`entry ${entries.length + 1}`);
    entries.push(feed.slice(at, close + ENTRY_END.length));
    at = close + ENTRY_END.length;
  }
  return accept(entries);
}

/** The id of an entry made by this encoder. */
export function atomEntryId(entry: string): string {
  return /<id>([^<]+)<\/id>/.exec(entry)?.[1] ?? '';
}

function notOurs(part: string): Result<never> {
  return refuse(
    'ATOM-FORM',
    `It is not as it was written here: ${part} differs. Its entries cannot be kept as they are.`,
  );
}
