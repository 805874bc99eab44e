import type { ReaderCommit } from '../../dialects/agent-feed/read/reader-state.ts';
import { unknownWriteError } from '../../errors/replica-error.ts';
import { REDACTION } from '../../hub/cluster/bases.ts';
import type { PlacedWrite } from '../../hub/cluster/journal.ts';
import type { ReplicaStanding, ReplicaStore } from '../../hub/cluster/replica.ts';
import { markOf } from '../../hub/cluster/write-mark.ts';
import type { ApiKeyStep } from '../../hub/keys/api-key-steps.ts';
import type { OwnerUsage } from '../../hub/keys/key-usage.ts';
import type { SourceCheck, WatchedSource } from '../../hub/store/hub-store.ts';
import type { Change } from '../../model/change.ts';
import { eraseTexts, erasing } from '../sqlite/erase-texts.ts';
import type { FollowWrite } from '../sqlite/hub-follow-state.ts';
import type { Settle } from '../sqlite/hub-sources.ts';
import type { HubTables } from '../sqlite/hub-tables.ts';
import type { PartsEdition } from '../sqlite/reader-parts.ts';
import { ReplicaStamp, type Stamp } from '../sqlite/replica-stamp.ts';
import type { ErasedTexts } from '../sqlite/whole-hub-store.ts';
import type { LogCuts } from './log-cuts.ts';
import { decodeVisit } from './visit-body.ts';
import { unpackBody, type WriteBody } from './write-body.ts';

/** Writes a step to its tables, within the transaction that stamps the place. Returns its result. */
export type StepApplier = (step: unknown) => unknown;

/** A step of a store, as it is in the journal. */
export interface WrittenStep {
  readonly step: unknown;
  /** The process that wrote it. */
  readonly by: string;
}

interface StoreSteps {
  readonly apply: StepApplier;
  readonly listeners: ((written: WrittenStep) => void)[];
}

/** What one write does. */
interface Work {
  /** Within the transaction. Idempotent after a crash. */
  readonly write: () => unknown;
  /** Behind it: what is known in memory follows. */
  readonly settle?: () => void;
  /** More of the same run follows: nobody is shown what is there of it. */
  readonly hasMore?: boolean;
  /** What it takes away must not stay in the free room of the database. */
  readonly erases?: boolean;
  /** The sources that it changes. */
  readonly sources?: readonly string[];
}

type Prepare = (body: Required<WriteBody>, write: PlacedWrite) => Work | Promise<Work>;

/** The tables of a hub that follow the journal: each write is one transaction together with its place. */
export class LocalReplica implements ReplicaStore {
  readonly #tables: HubTables;
  readonly #stamp: ReplicaStamp;
  readonly #kinds: Readonly<Record<string, Prepare>>;
  readonly #stores = new Map<string, StoreSteps>();
  readonly #sourceListeners: ((ids: readonly string[]) => void)[] = [];
  #standing: Stamp | undefined;
  /** What is there of a run that is not whole yet. */
  #run: Change[] = [];

  constructor(tables: HubTables, cuts?: Pick<LogCuts, 'around'>) {
    this.#tables = tables;
    this.#stamp = new ReplicaStamp(tables.opened.database);
    this.#standing = this.#stamp.find();
    this.#kinds = hubWrites(tables, cuts);
    const openSeq = this.#standing?.openSeq;
    if (openSeq !== undefined) tables.changes.hideBehind(openSeq);
  }

  /** The writes of `name` are those of this store from now on. One that is known already stays. */
  addStore(name: string, apply: StepApplier): void {
    const kind = storeKind(name);
    if (!this.#stores.has(kind)) this.#stores.set(kind, { apply, listeners: [] });
  }

  /** Called with each step of an added store, right after its transaction. */
  onStep(name: string, listener: (written: WrittenStep) => void): void {
    this.#stores.get(storeKind(name))?.listeners.push(listener);
  }

  /** Called with the sources of each write that names some, right after its transaction. */
  onSources(listener: (ids: readonly string[]) => void): void {
    this.#sourceListeners.push(listener);
  }

  standing(): ReplicaStanding | undefined {
    return this.#standing;
  }

  begin(epoch: string): void {
    const stamp = { epoch, rev: 0 };
    this.#tables.opened.log.appendWith([], () => this.#stamp.put(stamp));
    this.#standing = stamp;
  }

  async apply(write: PlacedWrite): Promise<unknown> {
    const work = await this.#prepared(write);
    const result = work.erases
      ? erasing(this.#tables.opened, () => this.#write(write, work))
      : this.#write(write, work);
    work.settle?.();
    if (work.sources !== undefined) for (const listener of this.#sourceListeners) listener(work.sources);
    return result;
  }

  async #prepared(write: PlacedWrite): Promise<Work> {
    const store = this.#stores.get(write.kind);
    const prepare = Object.hasOwn(this.#kinds, write.kind) ? this.#kinds[write.kind] : undefined;
    if (store === undefined && prepare === undefined) throw unknownWriteError(write.kind);
    const body = await unpackBody(write.body);
    if (prepare !== undefined) return prepare(body, write);
    const written = body.value as WrittenStep;
    return {
      write: () => store?.apply(written.step),
      settle: () => {
        for (const listener of store?.listeners ?? []) listener(written);
      },
    };
  }

  #write(write: PlacedWrite, { write: alsoWrite, hasMore = false }: Work): unknown {
    const { changes, opened, commits } = this.#tables;
    const openSeq = this.#standing?.openSeq ?? (hasMore ? (changes.recent(1)[0]?.seq ?? 0) : undefined);
    const stamp: Stamp = {
      epoch: this.#standing?.epoch ?? '',
      rev: write.rev,
      mark: markOf(write),
      ...(hasMore && openSeq !== undefined && { openSeq }),
    };
    if (openSeq !== undefined) changes.hideBehind(openSeq);
    let result: unknown;
    opened.log.insertWith(write.changes, () => {
      result = alsoWrite();
      this.#stamp.put(stamp);
    });
    this.#standing = stamp;
    this.#run.push(...write.changes);
    if (hasMore) return result;
    const run = this.#run;
    this.#run = [];
    changes.showAll();
    commits.tell(run);
    return result;
  }
}

/** The writes of the hub itself, by kind. */
function hubWrites(tables: HubTables, cuts?: Pick<LogCuts, 'around'>): Readonly<Record<string, Prepare>> {
  const { commits, facts, follow, keys, keyUsage, sources, upkeep } = tables;
  return {
    visit: async (body, { changes, atMs }) => {
      const { visited, hasMore } = decodeVisit(body);
      return { write: await commits.beside(visited, { changes, atMs }), hasMore };
    },
    feed: ({ value }) => {
      const { hasMore = false, ...feed } = value as FollowWrite & { readonly hasMore?: true };
      return { write: () => follow.write(feed), hasMore };
    },
    sources: ({ value }) => {
      const put = value as readonly WatchedSource[];
      return { ...settling(() => tables.putSources(put)), sources: put.map(({ config }) => config.id) };
    },
    'remove-source': ({ value }) => {
      const id = value as string;
      return { ...settling(() => [tables.forgetSource(id)]), sources: [id] };
    },
    checks: ({ value }) => {
      const checks = value as readonly SourceCheck[];
      return { ...settling(() => [sources.record(checks)]), sources: checks.map(({ check }) => check.source) };
    },
    fact: ({ value }) => {
      const { name, text } = value as { readonly name: string; readonly text: string };
      return { write: () => facts.put(name, text) };
    },
    keys: ({ value }) => ({ write: () => keys.take(value as ApiKeyStep) }),
    'key-usage': ({ value }) => {
      const { counts, firstDay } = value as { readonly counts: readonly OwnerUsage[]; readonly firstDay: number };
      return { write: () => keyUsage.add(counts, firstDay) };
    },
    reader: ({ value }, { rev }) => {
      const { commit, unchanged } = value as { readonly commit: ReaderCommit } & Pick<PartsEdition, 'unchanged'>;
      const { tables: reader } = tables.readerState;
      return { write: () => reader.write(commit, { unchanged, version: readerVersion(rev) }) };
    },
    [REDACTION]: ({ value }) => {
      const erased = value as ErasedTexts;
      return {
        write: () => eraseTexts(tables, erased),
        settle: () => tables.changes.tellRedacted(erased.seq),
        erases: true,
      };
    },
    // What lets something go comes to the same when it is done twice: it is stamped when all of it is done.
    'cut-log': async ({ value }) => {
      const seq = value as number;
      const cut = () => upkeep.cutLog(seq);
      return after(await (cuts?.around(seq, cut) ?? cut()));
    },
    'drop-snapshots': async ({ value }) => after(await upkeep.dropSnapshots(value as number)),
    'drop-checks': async ({ value }) => after(await upkeep.dropChecks(value as number)),
  };
}

/** The kind of the writes of a store beside the hub's own. */
export function storeKind(name: string): string {
  return `store:${name}`;
}

/** The version of the parts that a commit of a reader wrote at that place: the same in every process. */
export function readerVersion(rev: number): string {
  return `rev ${rev}`;
}

function settling(write: () => readonly Settle[]): Work {
  let settles: readonly Settle[] = [];
  return {
    write: () => {
      settles = write();
    },
    settle: () => {
      for (const settle of settles) settle();
    },
  };
}

function after(result: unknown): Work {
  return { write: () => result };
}
