import type { Result } from '../primitives/result.ts';
import { collapsedText, escapeXml } from '../primitives/xml-escape.ts';
import { ATOM_NAMESPACE } from '../primitives/xml-names.ts';
import { ENTRY_END, ENTRY_START } from './encode-entry.ts';
import { ElementLines } from './encode-parts.ts';
import { type AtomHead, HISTORY_NAMESPACE } from './wire.ts';

const ATOM_TYPE = 'application/atom+xml';
const ID_OF_ENTRY = /^ {2}<entry>\n {4}<id>([^<]+)<\/id>\n/;

/**
 * Encodes a feed, or an archive of one, from entries made by {@link encodeAtomEntry}. Their bytes are copied unchanged.
 *
 * By convention the newest entry comes first. Refuses two entries with the same id, entries not made by this encoder, and what
 * `encodeAtomEntry` refuses in ids, titles, URLs and times.
 *
 * @example
 * const feed = encodeAtomFeed(
 *   {
 *     id: stableId('https://docs.example/', 'changes'),
 *     title: 'Changes of docs.example',
 *     updatedMs: Date.UTC(2026, 2, 1, 12),
 *     author: { name: 'docs.example' },
 *     selfUrl: 'https://docs.example/changes.atom',
 *   },
 *   entries,
 * );
 */
export function encodeAtomFeed(head: AtomHead, entries: readonly string[]): Result<string> {
  const lines = new ElementLines('  ');
  const language = head.language === undefined ? '' : lines.language(head.language);
  lines.id(head.id);
  lines.line('title', head.title);
  if (head.subtitle !== undefined) lines.line('subtitle', head.subtitle);
  lines.time('updated', head.updatedMs);
  lines.author(head.author);
  if (head.selfUrl !== undefined) lines.link('self', head.selfUrl, ATOM_TYPE);
  if (head.url !== undefined) lines.link('alternate', head.url, 'text/html');
  for (const url of new Set(head.hubUrls)) lines.link('hub', url);
  if (head.currentUrl !== undefined) lines.link('current', head.currentUrl, ATOM_TYPE);
  if (head.prevArchiveUrl !== undefined) lines.link('prev-archive', head.prevArchiveUrl, ATOM_TYPE);
  if (head.nextArchiveUrl !== undefined) lines.link('next-archive', head.nextArchiveUrl, ATOM_TYPE);
  if (head.generator !== undefined && collapsedText(head.generator) !== '') {
    lines.add(`<generator>${escapeXml(collapsedText(head.generator))}</generator>`);
  }
  if (head.isArchive === true) lines.add('<fh:archive/>');
  checkEntries(entries, lines);
  return lines.finish(
    (text) => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="${ATOM_NAMESPACE}" xmlns:fh="${HISTORY_NAMESPACE}"${language}>
${text}${entries.join('')}</feed>
`,
  );
}

function checkEntries(entries: readonly string[], lines: ElementLines): void {
  const ids = new Set<string>();
  for (const [at, entry] of entries.entries()) {
    const id = ID_OF_ENTRY.exec(entry)?.[1];
    const isWhole =
      entry.indexOf(ENTRY_END) === entry.length - ENTRY_END.length && entry.lastIndexOf(ENTRY_START) === 0;
    if (id === undefined || !isWhole) lines.refuse('RFC4287-4.1.2', `Entry ${at + 1} was not made by this writer.`);
    else if (ids.has(id)) lines.refuse('RFC4287-4.1.1', `Two entries have the id "${id.slice(0, 200)}".`);
    else ids.add(id);
  }
}
