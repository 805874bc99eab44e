import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import type { TimeSpan } from '../../../codecs/resourcesync/time-span.ts';
import type { Span } from './check-change-list.ts';
import { checkLoc } from './check-link.ts';
import { checkEntryNames } from './check-root.ts';
import { checkWrittenTime } from './check-time.ts';
import { type ListContext, type SeenList, shown, tellOf } from './list-context.ts';
import { type RawElement, readRawDocument } from './raw-document.ts';

/** One document that an index lists. */
export interface ListPart extends Span {
  readonly line: number;
  readonly loc: string;
  readonly md: RawElement | undefined;
}

/** How many parts are checked. */
const MAX_PARTS = 5000;

/** What an index lists, each document once. `clause` is reported for an address that cannot be requested. */
export function checkIndex(list: SeenList, clause: string, context: ListContext): readonly ListPart[] {
  const tell = tellOf(list, context);
  const parts: ListPart[] = [];
  const seenLocs = new Map<string, number>();
  readRawDocument(list.text, (entry) => {
    checkEntryNames(entry, list, tell);
    const [md] = entry.mds;
    const from = md && checkWrittenTime(md, { name: 'from', clause: 'RS-G10' }, tell, context);
    const until = md && checkWrittenTime(md, { name: 'until', clause: 'RS-G10' }, tell, context);
    const loc = checkLoc(entry, { clause, list }, tell, context);
    if (loc === undefined) return;
    const first = seenLocs.get(loc);
    if (first !== undefined) {
      const seen = `<loc>${shown(loc)}</loc> is in line ${first} already.`;
      tell(entry.line, { clause: ENTRY, level: 'SHOULD', sort: 'twice', seen, remedy: 'List it once.' });
      return;
    }
    if (parts.length >= MAX_PARTS) return;
    seenLocs.set(loc, entry.line);
    parts.push({ line: entry.line, loc, md, from, until });
  });
  if (list.head.entryCount === 0) {
    const seen = 'It is an index that lists nothing: it has no <sitemap>.';
    const remedy = 'List the parts, or serve the one document in place of the index.';
    tell(list.head.root.line, { clause: ENTRY, level: 'SHOULD', sort: 'empty', seen, remedy });
  }
  return parts;
}

/** Checks the times in a Change List Index. Readers use them to skip lists. */
export function checkChangeParts(list: SeenList, parts: readonly ListPart[], context: ListContext): void {
  const tell = tellOf(list, context);
  if (parts.length > 0) context.ledger.looked('RS-G10', 'RS-L11', 'RS-X1');
  let before: { readonly from: TimeSpan; readonly line: number } | undefined;
  for (const [at, { line, md, from, until }] of parts.entries()) {
    if (md?.attributes.get('from') === undefined) {
      const seen = `${md === undefined ? '<sitemap> has no <rs:md>' : `${shown(md.written)} has no "from"`}.`;
      const remedy = 'Say which time the list covers: <rs:md from="…" until="…"/>, without "until" for the newest.';
      tell(md?.line ?? line, { clause: 'RS-G10', sort: 'no from', seen, remedy });
      continue;
    }
    if (from === undefined) continue;
    if (before !== undefined && from.endMs < before.from.startMs) {
      const seen = `${shown(md.written)} stands behind a list that begins later (line ${before.line}).`;
      const remedy = 'Put lists in the order of their time, the newest last.';
      tell(md.line, { clause: ENTRY, sort: 'order', seen, remedy });
    } else before = { from, line: md.line };
    if (until !== undefined && until.endMs < from.startMs) {
      const seen = `${shown(md.written)} ends before it begins.`;
      tell(md.line, { clause: ENTRY, sort: 'reversed', seen, remedy: 'Exchange "from" and "until".' });
    }
    if (md.attributes.get('until') === undefined && at < parts.length - 1) {
      const seen = `${shown(md.written)} has no "until", although another list follows.`;
      const remedy = 'Only the newest list is open: give the others the time at which they end.';
      tell(md.line, { clause: ENTRY, level: 'SHOULD', sort: 'open', seen, remedy });
    }
  }
}

/** Checks that an index and one of its lists state the same time span. */
export function compareSpans(index: SeenList, part: ListPart, own: Span, context: ListContext): void {
  const { md, until, from } = part;
  if (md === undefined) return;
  const tell = tellOf(index, context);
  const about = shown(part.loc);
  if (until !== undefined && own.until === undefined) {
    const seen = `${shown(md.written)} has "until", and ${about} is an open list: readers would miss what it gets.`;
    const remedy = 'Take "until" out here, or close the list by giving it the same "until".';
    tell(md.line, { clause: ENTRY, sort: 'until of open', seen, remedy });
    return;
  }
  for (const [name, here, there] of [
    ['from', from, own.from],
    ['until', until, own.until],
  ] as const) {
    const isOther =
      here !== undefined && there !== undefined && (here.startMs > there.endMs || here.endMs < there.startMs);
    const isMissing = name === 'until' && here === undefined && there !== undefined;
    if (!isOther && !isMissing) continue;
    const seen = `${shown(md.written)}, and ${about} says ${name}="${there?.text}".`;
    const remedy = `Give both the same "${name}": readers go by the index.`;
    tell(md.line, { clause: ENTRY, level: 'SHOULD', sort: `other ${name}`, seen, remedy });
  }
}
