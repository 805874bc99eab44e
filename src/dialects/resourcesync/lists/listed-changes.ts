import { parseTime } from '../../../codecs/primitives/time.ts';
import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import type { ChangeKind, ResourceEntry } from '../../../codecs/resourcesync/wire.ts';
import type { Change } from '../../../model/change.ts';

/** What a Change List says about one page in one publish: one entry, however many of its sections changed. */
export interface ListedChange {
  /** The seq of the first change in it. */
  readonly seq: number;
  readonly url: string;
  readonly timeMs: number;
  readonly change: ChangeKind;
  readonly title: string | undefined;
  /** The anchors of sections that changed and still exist. */
  readonly anchors: readonly string[];
}

/** Whether a change can be in a list: endpoints are not resources of a site. */
export function isListed({ kind, url }: Change): boolean {
  return kind !== 'endpoint' && isLoc(url);
}

/**
 * The changes of a whole log from `first` on and before `end`, by `seq`, in order. A page that changed several times in one publish
 * is listed at its first change.
 */
export function listedChanges(
  changes: readonly Change[],
  first: number,
  end: number = changes.length + 1,
): readonly ListedChange[] {
  const listed: ListedChange[] = [];
  for (let at = runStart(changes, first); at < end - 1; ) {
    const run = readRun(changes, at);
    for (const change of run.listed) if (change.seq >= first && change.seq < end) listed.push(change);
    at = run.end;
  }
  return listed;
}

/** Milliseconds since 1970. */
export function timeOf({ time }: Change): number {
  const timeMs = parseTime(time);
  if (timeMs === undefined) throw new Error(`The log holds the time "${time}".`);
  return timeMs;
}

/** The most sections that are named; the page itself has the rest. */
const MAX_SECTIONS = 50;

export function changeEntry({ url, timeMs: datetime, change, title, anchors }: ListedChange): ResourceEntry<number> {
  const md = title === undefined ? { change, datetime } : { change, datetime, title };
  const named = anchors.slice(0, MAX_SECTIONS);
  // The same time as in the Resource List, so that a mirror that only follows changes has it, too.
  const lastmod = change === 'deleted' ? {} : { lastmod: datetime };
  return {
    loc: url,
    ...lastmod,
    md,
    links: named.map((anchor) => ({ rel: 'section', href: `${url}#${fragmentOf(anchor)}` })),
  };
}

/** The position in the log where the run of a change begins. */
function runStart(changes: readonly Change[], seq: number): number {
  let at = Math.max(seq - 1, 0);
  while (at > 0 && changes[at - 1]?.time === changes[at]?.time) at -= 1;
  return at;
}

type Draft = { -readonly [Key in keyof ListedChange]: ListedChange[Key] } & { readonly anchors: string[] };

function readRun(
  changes: readonly Change[],
  start: number,
): { readonly listed: Iterable<Draft>; readonly end: number } {
  const listed = new Map<string, Draft>();
  let timeMs: number | undefined;
  let at = start;
  const time = changes[start]?.time;
  for (let change = changes[at]; change !== undefined && change.time === time; change = changes[at]) {
    at += 1;
    if (!isListed(change)) continue;
    timeMs ??= timeOf(change);
    const known = listed.get(change.url);
    if (known === undefined) listed.set(change.url, draftOf(change, timeMs));
    else extend(known, change);
  }
  return { listed: listed.values(), end: at };
}

function draftOf(change: Change, timeMs: number): Draft {
  const { seq, url, title } = change;
  const draft: Draft = { seq, url, timeMs, change: kindOf(change), title: cleanTitle(title), anchors: [] };
  if (change.anchor && draft.change === 'updated') draft.anchors.push(change.anchor);
  return draft;
}

/** A change of the whole page counts more than a change of a part, and a later one more than an earlier one. */
function extend(draft: Draft, change: Change): void {
  const kind = kindOf(change);
  if (kind !== 'updated') draft.change = kind;
  if (draft.change !== 'updated') draft.anchors.length = 0;
  else if (change.anchor && !draft.anchors.includes(change.anchor)) draft.anchors.push(change.anchor);
  draft.title = cleanTitle(change.title) ?? draft.title;
}

function kindOf({ action, anchor }: Change): ChangeKind {
  if (anchor !== undefined || action === 'update') return 'updated';
  return action === 'create' ? 'created' : 'deleted';
}

const MAX_TITLE_LENGTH = 300;
/** Matches most titles, which need no cleaning. */
const PLAIN_TITLE = /^[!-~]+(?: [!-~]+)*$/;

/** A title that XML can hold; undefined if nothing is left. */
function cleanTitle(title: string | undefined): string | undefined {
  if (title === undefined || title === '') return undefined;
  if (title.length <= MAX_TITLE_LENGTH && PLAIN_TITLE.test(title)) return title;
  const clean = title
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed()
    .replace(/[\s\p{Cc}\u{fffe}\u{ffff}]+/gu, ' ')
    .trim();
  return clean === '' ? undefined : clean;
}

function fragmentOf(anchor: string): string {
  return /^[\w.~-]+$/.test(anchor) ? anchor : encodeURIComponent(anchor.toWellFormed());
}
