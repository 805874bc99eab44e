import { othersFirst } from '../log/others-first.ts';
import { decodeSectionsNote } from '../model/sections-note.ts';
import type { ChangeStream, StreamedChange } from '../stream/change-stream.ts';
import { resourceUri } from './page-uri.ts';

/** What subscribers are told about some changes: that something changed, never what. */
export interface Notices {
  /** Of pages and sections, each once. */
  readonly uris: ReadonlySet<string>;
  /** Pages were added or removed. */
  readonly isListChanged: boolean;
}

type NotedChange = Pick<StreamedChange, 'kind' | 'action' | 'url' | 'anchor' | 'note'>;

/** Many changes of one page become one notice. */
export function noticesOf(changes: readonly NotedChange[]): Notices {
  const uris = new Set<string>();
  let isListChanged = false;
  for (const { kind, action, url, anchor, note } of changes) {
    if (kind !== 'page') continue;
    uris.add(resourceUri({ url }));
    for (const name of anchor === undefined ? notedAnchors(note) : [anchor])
      uris.add(resourceUri({ url, anchor: name }));
    if (anchor === undefined && action !== 'update') isListChanged = true;
  }
  return { uris, isListChanged };
}

function notedAnchors(note: string | undefined): readonly string[] {
  const { changed = [], added = [], removed = [] } = decodeSectionsNote(note) ?? {};
  return [...changed, ...added, ...removed];
}

/** Per wake-up: the first reading of a large site need not be reported page by page. */
const MOST_URIS = 5000;

/** Notices of changes that came together. */
class GatheredNotices implements Notices {
  readonly uris = new Set<string>();
  isListChanged = false;

  add(changes: readonly NotedChange[]): void {
    const { uris, isListChanged } = noticesOf(changes);
    for (const uri of uris) if (this.uris.size < MOST_URIS) this.uris.add(uri);
    this.isListChanged ||= isListChanged || this.uris.size >= MOST_URIS;
  }

  get isEmpty(): boolean {
    return this.uris.size === 0 && !this.isListChanged;
  }
}

/** Takes changes as they are committed, and publishes those of one turn of the event loop together. */
export function noticeTeller(publish: NoticeLoopParts['publish']): (changes: readonly NotedChange[]) => void {
  let gathered: GatheredNotices | undefined;
  const tell = async () => {
    await othersFirst();
    const notices = gathered;
    gathered = undefined;
    if (notices !== undefined && !notices.isEmpty) publish(notices);
  };
  return (changes) => {
    if (gathered === undefined) void tell();
    gathered ??= new GatheredNotices();
    gathered.add(changes);
  };
}

export interface NoticeLoopParts {
  readonly stream: Pick<ChangeStream, 'changes' | 'news'>;
  /** The current end of the log; undefined if it is empty. */
  newest(): Promise<string | undefined>;
  publish(notices: Notices): void;
  /** Called with an error; the work is tried again. */
  onProblem(error: unknown): void;
}

const WAIT_MS = 30_000;
const CHANGES_AT_ONCE = 1000;
/**
 * Publishes notices of new changes in a log that others write, until the signal is aborted. Everything new at a wake-up is published together, so a
 * burst makes few notices. A notice is a hint and may be lost: readers continue from their cursor.
 */
export async function tellNews(parts: NoticeLoopParts, signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  let isKnown = false;
  while (!signal.aborted) {
    try {
      if (!isKnown) after = await parts.newest();
      isKnown = true;
      await parts.stream.news(WAIT_MS, signal);
      if (signal.aborted) return;
      after = await tellBehind(after, parts, signal);
    } catch (error) {
      if (signal.aborted) return;
      parts.onProblem(error);
      // The position is asked for again: a cursor may be lost.
      isKnown = false;
      await parts.stream.news(WAIT_MS, signal);
    }
  }
}

async function tellBehind(
  start: string | undefined,
  { stream, publish }: NoticeLoopParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  let after = start;
  const notices = new GatheredNotices();
  for (;;) {
    const { changes, next } = await stream.changes({ after, limit: CHANGES_AT_ONCE }, signal);
    notices.add(changes);
    after = next ?? after;
    if (changes.length < CHANGES_AT_ONCE) break;
  }
  if (!notices.isEmpty) publish(notices);
  return after;
}
