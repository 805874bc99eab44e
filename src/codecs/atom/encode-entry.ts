import type { Result } from '../primitives/result.ts';
import { collapsedText, escapeXml } from '../primitives/xml-escape.ts';
import { ElementLines } from './encode-parts.ts';
import { encodeHtml } from './html.ts';
import { type AtomEntry, HUB_URN } from './wire.ts';

export const ENTRY_START = '  <entry>\n';
export const ENTRY_END = '  </entry>\n';

/**
 * Encodes one entry; the same values always give the same text. Keep it: a published entry keeps its bytes, in the feed
 * and later in an archive.
 *
 * Characters that XML cannot contain become U+FFFD. Refuses an id that is not an IRI, a URL that is not http(s), a blank title, a time
 * out of range, and an entry with neither a URL nor content.
 *
 * @example
 * const entry = encodeAtomEntry({
 *   id: stableId('https://docs.example/', '42'),
 *   title: '2 pages changed',
 *   updatedMs: Date.UTC(2026, 2, 1, 12),
 *   content: [list([[link('https://docs.example/limits', 'Rate limits')]]), beforeAfter('60 requests', '100 requests')],
 * });
 */
export function encodeAtomEntry(entry: AtomEntry): Result<string> {
  const lines = new ElementLines('    ');
  lines.id(entry.id);
  lines.line('title', entry.title);
  lines.time('updated', entry.updatedMs);
  if (entry.publishedMs !== undefined) lines.time('published', entry.publishedMs);
  if (entry.author !== undefined) lines.author(entry.author);
  if (entry.url !== undefined) lines.link('alternate', entry.url);
  for (const hub of entry.hubs ?? []) lines.add(`<link rel="via" href="${HUB_URN}${escapeXml(hub)}"/>`);
  for (const term of new Set(entry.categories)) {
    if (collapsedText(term) !== '') lines.add(`<category term="${escapeXml(collapsedText(term))}"/>`);
  }
  if (entry.summary !== undefined) lines.add(`<summary>${escapeXml(entry.summary)}</summary>`);
  if (entry.content !== undefined) lines.add(`<content type="html">${escapeXml(encodeHtml(entry.content))}</content>`);
  else if (entry.url === undefined) {
    lines.refuse('RFC4287-4.1.2', 'The entry has neither a URL nor content.');
  }
  return lines.finish((text) => `${ENTRY_START}${text}${ENTRY_END}`);
}
