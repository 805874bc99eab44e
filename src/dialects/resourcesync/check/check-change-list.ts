import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import type { TimeSpan } from '../../../codecs/resourcesync/time-span.ts';
import { CHANGE_KINDS } from '../../../codecs/resourcesync/wire.ts';
import { checkLoc } from './check-link.ts';
import { checkClaims } from './check-resource-list.ts';
import { checkEntryNames } from './check-root.ts';
import { checkWrittenTime } from './check-time.ts';
import {
  correction,
  type ListContext,
  lacking,
  type SeenList,
  shown,
  type Tell,
  tellOf,
  withAttribute,
} from './list-context.ts';
import { type RawElement, type RawEntry, readRawDocument } from './raw-document.ts';

/** The time span of a list, as the list or the entry of an index states it. */
export interface Span {
  readonly from: TimeSpan | undefined;
  readonly until: TimeSpan | undefined;
}

/** How many changes are remembered to find duplicates. */
const MAX_REMEMBERED = 50_000;

/**
 * Checks the changes of one Change List: each has an address, a kind and a time; they are in order of time and within the span of
 * the list.
 */
export function checkChangeList(list: SeenList, context: ListContext): Span {
  const tell = tellOf(list, context);
  const span = checkSpan(list, 'MUST', tell, context);
  const told = new Map<string, number>();
  let before: { readonly span: TimeSpan; readonly line: number } | undefined;
  if (list.head.entryCount > 0) context.ledger.looked('RS-L7', 'RS-L8', 'RS-L9', 'RS-L12');
  readRawDocument(list.text, (entry) => {
    checkEntryNames(entry, list, tell);
    const loc = checkLoc(entry, { clause: 'RS-L9', list }, tell, context);
    const [md] = entry.mds;
    const change = checkKind(entry, md, tell);
    const datetime = checkDatetime(entry, md, tell, context);
    checkClaims(entry, tell);
    if (md === undefined || datetime === undefined) return;
    if (before !== undefined && datetime.endMs < before.span.startMs) {
      const seen = `${shown(md.written)} stands behind a later change (${before.span.text}, line ${before.line}).`;
      const remedy = 'Put changes in the order of their time, the newest last.';
      tell(md.line, { clause: ENTRY, sort: 'order', seen, remedy });
    } else before = { span: datetime, line: md.line };
    checkWithin(md, datetime, span, tell);
    if (loc === undefined || change === undefined) return;
    const key = `${change} ${datetime.text} ${loc}`;
    const first = told.get(key);
    if (first !== undefined) {
      const seen = `The same change of ${shown(loc)} is in line ${first} already.`;
      tell(entry.line, { clause: ENTRY, level: 'SHOULD', sort: 'twice', seen, remedy: 'Take one of them out.' });
    } else if (told.size < MAX_REMEMBERED) told.set(key, entry.line);
  });
  return span;
}

/** Checks `from` and `until` of the root. */
export function checkSpan(
  { head, isIndex }: SeenList,
  level: 'MUST' | 'SHOULD',
  tell: Tell,
  context: ListContext,
): Span {
  const [md] = head.mds;
  context.ledger.looked('RS-L5', 'RS-L6');
  if (md === undefined) return { from: undefined, until: undefined };
  if (md.attributes.get('from') === undefined) {
    const seen = `${shown(md.written)} ${lacking(md, 'from')}.`;
    const when = isIndex ? 'when the first of its lists begins' : 'the time from which on it has all changes';
    const right = withAttribute(md, 'from', '2022-11-06T00:00:00Z');
    tell(md.line, {
      clause: 'RS-L5',
      level,
      sort: 'no from',
      seen,
      remedy: `Give ${when}${right ? `, like ${right}` : ''}`,
    });
  }
  const from = checkWrittenTime(md, { name: 'from', clause: 'RS-L5' }, tell, context);
  const until = checkWrittenTime(md, { name: 'until', clause: ENTRY }, tell, context);
  if (from !== undefined && until !== undefined && until.endMs < from.startMs) {
    const seen = `${shown(md.written)} ends before it begins.`;
    tell(md.line, { clause: 'RS-L6', level: 'MUST', sort: 'reversed', seen, remedy: 'Exchange "from" and "until".' });
  }
  return { from, until };
}

function checkKind(entry: RawEntry, md: RawElement | undefined, tell: Tell): string | undefined {
  if (md === undefined) {
    const remedy = 'Write in it: <rs:md change="updated" datetime="…"/>';
    tell(entry.line, { clause: 'RS-L7', sort: 'no md', seen: '<url> has no <rs:md>.', remedy });
    return undefined;
  }
  if (entry.mds.length > 1) {
    const seen = '<url> has more than one <rs:md>.';
    tell(entry.mds[1]?.line, { clause: ENTRY, sort: 'two md', seen, remedy: 'Give each change its own <url>.' });
  }
  const change = md.attributes.get('change');
  if (CHANGE_KINDS.some((kind) => kind === change)) return change;
  const close = CHANGE_KINDS.find((kind) => kind === change?.toLowerCase()) ?? LIKELY.get(change?.toLowerCase() ?? '');
  const right = close === undefined ? undefined : withAttribute(md, 'change', close);
  const seen = `${shown(md.written)} ${change === undefined ? lacking(md, 'change') : `says change="${shown(change)}"`}.`;
  const remedy = correction(right, 'Give change="created", change="updated" or change="deleted".');
  tell(md.line, { clause: 'RS-L7', sort: 'change', seen, remedy });
  return undefined;
}

const LIKELY: ReadonlyMap<string, string> = new Map([
  ['modified', 'updated'],
  ['changed', 'updated'],
  ['update', 'updated'],
  ['create', 'created'],
  ['added', 'created'],
  ['new', 'created'],
  ['delete', 'deleted'],
  ['removed', 'deleted'],
]);

function checkDatetime(
  entry: RawEntry,
  md: RawElement | undefined,
  tell: Tell,
  context: ListContext,
): TimeSpan | undefined {
  if (md === undefined) return undefined;
  if (md.attributes.get('datetime') !== undefined)
    return checkWrittenTime(md, { name: 'datetime', clause: 'RS-L8' }, tell, context);
  const [lastmod] = entry.lastmods;
  const instead = lastmod === undefined ? '' : ' A <lastmod> does not stand in for it.';
  const right = withAttribute(md, 'datetime', lastmod?.text ?? '2022-11-06T10:00:00Z');
  const seen = `${shown(md.written)} ${lacking(md, 'datetime')}. Readers ignore this change.${instead}`;
  const remedy = `Give the time of the change${right === undefined ? '.' : `, like ${right}`}`;
  tell(md.line, { clause: 'RS-L8', sort: 'no datetime', seen, remedy });
  return undefined;
}

function checkWithin(md: RawElement, datetime: TimeSpan, { from, until }: Span, tell: Tell): void {
  const isEarly = from !== undefined && datetime.endMs < from.startMs;
  const isLate = until !== undefined && datetime.startMs > until.endMs;
  if (!isEarly && !isLate) return;
  const seen = isEarly
    ? `${shown(md.written)} is before the time of the list, which begins at ${from?.text}.`
    : `${shown(md.written)} is after the time of the list, which ends at ${until?.text}.`;
  const remedy = isEarly
    ? 'Let the list begin earlier ("from" in its first <rs:md>), or take the change out.'
    : 'A list with "until" is closed: put later changes in a new list.';
  tell(md.line, { clause: ENTRY, sort: 'outside', seen, remedy });
}
