import { type LogEnd, placeChanges } from '../../log/place-changes.ts';
import type { Fence, JournalWrite, PlacedWrite, PlannedSource, WriteAnswer } from './journal.ts';

/** The end of a journal. */
export interface JournalHead {
  readonly rev: number;
  readonly seq: number;
  /** Undefined while the log is empty. */
  readonly last: LogEnd | undefined;
}

/** A source in the plan of visits. Times are those of the journal's clock. */
export interface SourceRow {
  readonly id: string;
  readonly host: string;
  readonly dueAtMs: number | undefined;
  /** Undefined while nobody visits it. */
  readonly holder: string | undefined;
  readonly untilMs: number | undefined;
  /** Undefined if it is to get a new one. */
  readonly token: number | undefined;
  /** The `rev` of the last write that names it, in its plan or as its task. */
  readonly rev: number;
}

/** A task that one process holds at a time. */
export interface RoleRow {
  readonly name: string;
  readonly holder: string | undefined;
  readonly token: number;
}

export interface WritePlacement {
  readonly head: JournalHead;
  /** All existing sources that the writes name. */
  readonly sources: readonly SourceRow[];
  readonly roles: readonly RoleRow[];
  readonly nowMs: number;
  readonly random: (size: number) => Uint8Array;
}

export interface WritesInPlace {
  /** Per call. */
  readonly answers: readonly (readonly WriteAnswer[])[];
  readonly placed: readonly PlacedWrite[];
  readonly head: JournalHead;
  /** After the writes. */
  readonly sources: readonly SourceRow[];
  readonly forgotten: readonly string[];
}

/**
 * Decides which writes are made, and gives them their places. It is pure, so that the lock of the journal is held no longer than this takes. Writes see what
 * earlier ones did. A later write of a call may continue the run before it.
 */
export function placeWrites(calls: readonly (readonly JournalWrite[])[], placement: WritePlacement): WritesInPlace {
  const state = new PlacingState(placement);
  const answers = calls.map((writes) => {
    let hasRun = false;
    return writes.map((write): WriteAnswer => {
      const refused = state.refusalOf(write);
      if (refused !== undefined) return { refused };
      const placed = state.place(write, write.isMore === true && hasRun);
      hasRun ||= placed.changes.length > 0;
      return placed;
    });
  });
  return { answers, ...state.result() };
}

/** The names of the sources and roles that must be loaded to place these writes. */
export function namedTasks(writes: readonly JournalWrite[]): { readonly sources: string[]; readonly roles: string[] } {
  const sources = new Set<string>();
  const roles = new Set<string>();
  for (const { fence, plan = [], forget = [] } of writes) {
    if (fence !== undefined) (sourceOf(fence) === undefined ? roles : sources).add(sourceOf(fence) ?? roleOf(fence));
    for (const { id } of plan) sources.add(id);
    for (const id of forget) sources.add(id);
  }
  return { sources: [...sources].sort(), roles: [...roles].sort() };
}

class PlacingState {
  readonly #placement: WritePlacement;
  readonly #sources: Map<string, SourceRow>;
  readonly #roles: ReadonlyMap<string, RoleRow>;
  readonly #touched = new Set<string>();
  readonly #placed: PlacedWrite[] = [];
  #head: JournalHead;

  constructor(placement: WritePlacement) {
    this.#placement = placement;
    this.#head = placement.head;
    this.#sources = new Map(placement.sources.map((source) => [source.id, source]));
    this.#roles = new Map(placement.roles.map((role) => [role.name, role]));
  }

  refusalOf({ fence, plan = [] }: JournalWrite): 'fenced' | 'overtaken' | undefined {
    if (fence !== undefined && !this.#isHeld(fence)) return 'fenced';
    return plan.some((planned) => this.#isOvertaken(planned)) ? 'overtaken' : undefined;
  }

  place({ kind, body, drafts = [], fence, plan = [], forget = [] }: JournalWrite, isMore: boolean): PlacedWrite {
    const { nowMs, random } = this.#placement;
    const changes = placeChanges(drafts, { last: this.#head.last, nowMs, random, isMore });
    const { seq, id, time } = changes.at(-1) ?? this.#head.last ?? { seq: this.#head.seq, id: '', time: '' };
    const rev = this.#head.rev + 1;
    this.#head = { rev, seq, last: id === '' ? undefined : { seq, id, time } };
    const visited = fence === undefined ? undefined : this.#sources.get(sourceOf(fence) ?? '');
    if (visited !== undefined) this.#put({ ...visited, rev });
    for (const planned of plan) this.#plan(planned, rev);
    for (const gone of forget) {
      this.#sources.delete(gone);
      this.#touched.add(gone);
    }
    const placed = { rev, kind, body, changes, atMs: nowMs };
    this.#placed.push(placed);
    return placed;
  }

  result(): Omit<WritesInPlace, 'answers'> {
    const touched = [...this.#touched].sort();
    return {
      placed: this.#placed,
      head: this.#head,
      sources: touched.flatMap((id) => this.#sources.get(id) ?? []),
      forgotten: touched.filter((id) => !this.#sources.has(id)),
    };
  }

  #isHeld(fence: Fence): boolean {
    const source = sourceOf(fence);
    const task = source === undefined ? this.#roles.get(roleOf(fence)) : this.#sources.get(source);
    return task?.holder !== undefined && task.token === fence.token;
  }

  #isOvertaken({ id, expectedRev }: PlannedSource): boolean {
    if (expectedRev === undefined) return false;
    const source = this.#sources.get(id);
    return source === undefined ? expectedRev > 0 : source.rev > expectedRev;
  }

  #plan({ id, host, dueAtMs, overrules, releases }: PlannedSource, rev: number): void {
    const before = this.#sources.get(id);
    const isFree = before === undefined || overrules === true || releases === true;
    this.#put({
      id,
      host,
      dueAtMs,
      holder: isFree ? undefined : before.holder,
      untilMs: isFree ? undefined : before.untilMs,
      token: overrules === true ? undefined : before?.token,
      rev,
    });
  }

  #put(source: SourceRow): void {
    this.#sources.set(source.id, source);
    this.#touched.add(source.id);
  }
}

function sourceOf({ task }: Fence): string | undefined {
  return task.startsWith('source:') ? task.slice('source:'.length) : undefined;
}

function roleOf({ task }: Fence): string {
  return task.replace(/^role:/, '');
}
