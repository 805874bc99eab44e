import type { Dialect } from '../../dialects/dialect.ts';
import type {
  ChangeLists,
  ChangeReceipts,
  KeptArchives,
  Shelf,
  ShelfDocument,
  ShelfLinks,
  ShelfSource,
  ShelfTopic,
  ShelfWorld,
  SourceFeed,
  SourceStanding,
  TextRedaction,
  WrittenEvent,
} from '../../dialects/shelf.ts';
import type { Change } from '../../model/change.ts';
import type { Route } from '../http/route.ts';

interface NamedShelf {
  readonly dialect: string;
  readonly shelf: Shelf;
}

/** A shelf whose documents are older than the log. */
export interface Lag {
  readonly dialect: string;
  readonly reason: string;
}

/** A topic, and the `seq` up to which it contains the log. */
export interface HubTopic extends ShelfTopic {
  readonly seq: number;
}

/** A change as a dialect has written it. */
export interface DialectEvent extends WrittenEvent {
  readonly dialect: string;
}

/** The maximum of feeds per dialect that a page shows for a source. */
const MAX_FEEDS = 21;

/** Opens one shelf, and may measure how long that takes. */
export type ShelfOpening = (dialect: string, open: () => Promise<Shelf>) => Promise<Shelf>;

/** Opens the shelf of every dialect that has one. If one cannot be opened, those before it are closed again. */
export async function openHubShelves(
  dialects: readonly Dialect[],
  world: ShelfWorld,
  opening: ShelfOpening = (_, open) => open(),
): Promise<HubShelves> {
  const opened: NamedShelf[] = [];
  try {
    for (const { name, shelf } of dialects) {
      if (shelf === undefined) continue;
      const part = await shelf();
      const before = opened.map((each) => each.shelf);
      const inside = {
        ...world,
        documentsSince: (seq: number) => documentsOf(before, seq),
        documentsNaming: (source: string) => documentsNaming(before, source),
        documentsSeq: () => leastSeq(before.filter((each) => each.documentsSince !== undefined)),
      };
      opened.push({ dialect: name, shelf: await opening(name, async () => part.open(inside)) });
    }
  } catch (error) {
    for (const { shelf } of opened) await shelf[Symbol.asyncDispose]();
    throw error;
  }
  return new HubShelves(opened);
}

/** The documents of all dialects that a hub keeps ready. */
export class HubShelves implements AsyncDisposable {
  readonly #shelves: readonly NamedShelf[];
  readonly #standings: readonly Required<Pick<Shelf, 'standingOf'>>[];

  /** Use {@link openHubShelves}. */
  constructor(shelves: readonly NamedShelf[]) {
    this.#shelves = shelves;
    this.#standings = shelves.flatMap(({ shelf: { standingOf } }) => (standingOf === undefined ? [] : { standingOf }));
  }

  /** The newest `seq` that every document has; Infinity if none comes from the log. */
  get seq(): number {
    return leastSeq(this.#shelves.map(({ shelf }) => shelf));
  }

  /** Takes the changes of a commit, in order of `seq`. */
  async add(changes: readonly Change[]): Promise<void> {
    await Promise.all(this.#shelves.map(({ shelf }) => shelf.add(changes)));
  }

  /** The state of sources may have changed. */
  async restate(ids: readonly string[]): Promise<void> {
    await Promise.all(this.#shelves.map(({ shelf }) => shelf.restate?.(ids)));
  }

  /** Takes over what is missing from the log. Resolves to the shelves that still lag behind it. A shelf that fails delays no other. */
  async mend(onBug: (error: unknown) => void): Promise<readonly Lag[]> {
    for (const { shelf } of this.#shelves) await shelf.mend().catch(onBug);
    return this.lags();
  }

  /** The shelves that lag behind the log. */
  lags(): readonly Lag[] {
    return this.#shelves.flatMap(({ dialect, shelf: { trouble: reason } }) =>
      reason === undefined ? [] : { dialect, reason },
    );
  }

  /** Resolves when the shelves no longer need to read again what they have of the log. */
  async secure(): Promise<void> {
    for (const { shelf } of this.#shelves) await shelf.secure?.();
  }

  /** The same, only for the shelves that begin anew where the log is cut: their content follows from the log alone. */
  async secureCut(): Promise<void> {
    for (const { shelf } of this.#shelves) if (shelf.rebegin !== undefined) await shelf.secure?.();
  }

  /** The log was cut. */
  async rebegin(): Promise<void> {
    for (const { shelf } of this.#shelves) await shelf.rebegin?.();
  }

  /** Ends archives of a dialect that need not be kept. Returns how many have ended. */
  async endArchives(dialect: string, kept: KeptArchives): Promise<number> {
    const named = this.#shelves.find((each) => each.dialect === dialect);
    return (await named?.shelf.endArchives?.(kept)) ?? 0;
  }

  /** The position of a source in its runs, by the first dialect that counts them. From memory. */
  standingOf(source: string): SourceStanding | undefined {
    for (const { standingOf } of this.#standings) {
      const standing = standingOf(source);
      if (standing !== undefined) return standing;
    }
    return undefined;
  }

  links(): readonly ShelfLinks[] {
    return this.#shelves.flatMap(({ shelf }) => shelf.links ?? []);
  }

  /** The feeds of a source in every dialect. From memory. */
  feedsOf(source: ShelfSource): readonly SourceFeed[] {
    return this.#shelves.flatMap(({ shelf }) => shelf.feedsOf?.(source).slice(0, MAX_FEEDS) ?? []);
  }

  /** The change lists of each dialect that can write search results. */
  changeLists(): readonly ChangeLists[] {
    return this.#shelves.flatMap(({ shelf }) => shelf.changeLists ?? []);
  }

  /** A change as written by each dialect that reports it. */
  async eventsOf(change: Change): Promise<readonly DialectEvent[]> {
    const events: DialectEvent[] = [];
    for (const { dialect, shelf } of this.#shelves) {
      const event = await shelf.eventOf?.(change);
      if (event !== undefined) events.push({ dialect, ...event });
    }
    return events;
  }

  /** Texts of a change are about to be removed from the log. */
  async redact(redaction: TextRedaction): Promise<void> {
    for (const { shelf } of this.#shelves) await shelf.redact?.(redaction);
  }

  /** The topic at a path, relative to the hub. From memory. */
  topicAt(path: string): HubTopic | undefined {
    for (const { shelf } of this.#shelves) {
      const topic = shelf.topicAt?.(path);
      if (topic !== undefined) return { ...topic, seq: shelf.seq };
    }
    return undefined;
  }

  /** The receipts of the first dialect that proves changes. */
  receipts(): ChangeReceipts | undefined {
    return this.#shelves.find(({ shelf }) => shelf.receipts !== undefined)?.shelf.receipts;
  }

  routes(): readonly Route[] {
    return this.#shelves.flatMap(({ shelf }) => shelf.routes());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { shelf } of this.#shelves.toReversed()) await shelf[Symbol.asyncDispose]();
  }
}

function leastSeq(shelves: readonly Shelf[]): number {
  return shelves.reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
}

async function* documentsOf(shelves: readonly Shelf[], seq: number): AsyncGenerator<ShelfDocument, void, undefined> {
  for (const shelf of shelves) yield* shelf.documentsSince?.(seq) ?? [];
}

async function* documentsNaming(
  shelves: readonly Shelf[],
  source: string,
): AsyncGenerator<ShelfDocument, void, undefined> {
  for (const shelf of shelves) yield* shelf.documentsNaming?.(source) ?? [];
}
