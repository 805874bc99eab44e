import type { VisitCommit } from '../../hub/store/hub-store.ts';
import { visitParts } from '../../hub/store/visit-parts.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import type { HubChanges } from './hub-changes.ts';
import type { HubPages } from './hub-pages.ts';
import { type HubSnapshots, packTexts } from './hub-snapshots.ts';
import type { SqliteLog } from './log.ts';

type Listener = (changes: readonly Change[]) => void;
type PackedTexts = Awaited<ReturnType<typeof packTexts>>;
type Sayable = Pick<ChangeDraft, 'provenance'>;

/** What a visit writes beside its changes. */
export type VisitedPages = Pick<VisitCommit, 'source' | 'pages' | 'snapshots'>;

/** Changes that have their places, and when they were given these. */
interface PlacedChanges {
  readonly changes: readonly Change[];
  readonly atMs: number;
}

export interface HubCommitsParts {
  readonly log: SqliteLog;
  readonly changes: HubChanges;
  readonly pages: HubPages;
  readonly snapshots: HubSnapshots;
  readonly now: () => number;
}

/** What is appended and written beside it in one transaction. */
export interface AppendedPart {
  readonly drafts: readonly ChangeDraft[];
  readonly alsoWrite: (changes: readonly Change[]) => void;
}

/** How many changes and pages are written in one transaction, so that nobody waits long. */
const WRITTEN_AT_ONCE = 200;

/**
 * Appends changes, one commit after another. A visit or feed with many of them takes several transactions, between which other work gets its turn; no reader
 * in this process sees a part of it, and all of it is one run. A crash in between leaves what was written as a separate run, with its pages: the next visit
 * reports the rest.
 */
export class HubCommits {
  readonly #parts: HubCommitsParts;
  readonly #listeners: Listener[] = [];
  /** Resolves when everything that was begun has ended, well or not. */
  #begun: Promise<unknown> = Promise.resolve();
  /** Serialises everything that appends. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: HubCommitsParts) {
    this.#parts = parts;
  }

  onChanges(listener: Listener): void {
    this.#listeners.push(listener);
  }

  commit(visit: VisitCommit): Promise<readonly Change[]> {
    return this.#begin(this.#commit(visit));
  }

  /** Each part in one transaction. */
  append(parts: readonly AppendedPart[]): Promise<readonly Change[]> {
    return this.#begin(this.#inTurn(() => this.#write(parts)));
  }

  async settled(): Promise<void> {
    await this.#begun;
  }

  #begin<T>(done: Promise<T>): Promise<T> {
    const before = this.#begun;
    this.#begun = done.then(
      () => before,
      () => before,
    );
    return done;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #commit(visit: VisitCommit): Promise<readonly Change[]> {
    const packed = await this.#pack(visit, visit.drafts);
    const parts = visitParts(visit, WRITTEN_AT_ONCE).map((part) => ({
      drafts: part.drafts,
      alsoWrite: (appended: readonly Change[]) =>
        this.#writeBeside(part, packed, usedMs(this.#parts.now(), appended), appended),
    }));
    return this.#inTurn(() => this.#write(parts));
  }

  /** What writes the pages and the texts of a visit whose changes have their places, within the transaction that takes these in. */
  async beside({ source, pages, snapshots }: VisitedPages, { changes, atMs }: PlacedChanges): Promise<() => void> {
    const visit = { source, drafts: [], ...(pages && { pages }), ...(snapshots && { snapshots }) };
    const packed = await this.#pack(visit, changes);
    return () => this.#writeBeside(visit, packed, usedMs(atMs, changes), changes);
  }

  #pack({ snapshots: texts = new Map() }: VisitCommit, changes: readonly Sayable[]): Promise<PackedTexts> {
    const { log, snapshots } = this.#parts;
    const formerOf = formerTexts(changes);
    return packTexts(
      log.ask(() => snapshots.newAmong(texts)),
      (checksum) => log.ask(() => snapshots.baseFor(formerOf.get(checksum) ?? '')),
    );
  }

  async #write(parts: readonly AppendedPart[]): Promise<readonly Change[]> {
    const { log, changes } = this.#parts;
    const written: Change[] = [];
    if (parts.length > 1) log.ask(() => changes.hideMore());
    try {
      for (const { drafts, alsoWrite } of parts) {
        await othersFirst();
        const isMore = written.length > 0;
        for (const change of log.appendWith(drafts, alsoWrite, { isMore })) written.push(change);
      }
    } finally {
      changes.showAll();
      this.tell(written);
    }
    return written;
  }

  /** Within the transaction that appends. */
  #writeBeside(
    { source, pages, snapshots: texts = new Map() }: VisitCommit,
    packed: PackedTexts,
    usedMs: number,
    changes: readonly Change[],
  ): void {
    if (pages !== undefined) this.#parts.pages.write(source, pages);
    const ofPages = pages?.put.flatMap(({ snapshot }) => snapshot ?? []) ?? [];
    const named = [...ofPages, ...snapshotsNamedBy(changes)];
    this.#parts.snapshots.write(texts, packed, { named, usedMs });
  }

  /** For a complete run. */
  tell(changes: readonly Change[]): void {
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
  }
}

/** Not before the changes say it was: their time is ahead of a clock that stepped back. */
function usedMs(nowMs: number, changes: readonly Change[]): number {
  const { time } = changes.at(-1) ?? {};
  return Math.max(Math.trunc(nowMs), time === undefined ? 0 : Date.parse(time));
}

const SNAPSHOT_NAME = /^sha256:/;

/** The previous texts of the pages, by their current ones. */
function formerTexts(drafts: readonly Sayable[]): ReadonlyMap<unknown, string> {
  const former = new Map<unknown, string>();
  for (const { provenance: { before, after } = {} } of drafts) {
    if (typeof before === 'string') former.set(after, before);
  }
  return former;
}

/** What a page said before and after a change. */
function snapshotsNamedBy(changes: readonly Change[]): string[] {
  const names = changes.flatMap(({ provenance }) => [provenance.before, provenance.after]);
  return names.filter((name) => typeof name === 'string').filter((name) => SNAPSHOT_NAME.test(name));
}
