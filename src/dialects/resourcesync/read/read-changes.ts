import { LIMIT } from '../../../codecs/resourcesync/issue.ts';
import type { ReadEntry } from '../../../codecs/resourcesync/read-entry.ts';
import { parseTimeSpan } from '../../../codecs/resourcesync/time-span.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';
import { httpDateMs, type Validators } from '../../../fetch/response-headers.ts';
import { collectionKey } from './change-key.ts';
import type { FoundCollection } from './find-collections.ts';
import type { HarvestedChange, KnownCollection, KnownList } from './harvested.ts';
import { harvestedChange } from './harvested-change.ts';
import { hasLost, lostError } from './lost-entry.ts';
import { type DocumentPart, type DocumentPorts, openDocument } from './open-document.ts';
import { orderChanges } from './order-changes.ts';

export interface ChangePorts extends DocumentPorts {
  readonly seenAmong: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Stores keys as seen. Set if the changes of a new collection must not be reported: then no reading has them. */
  readonly keepSilently?: (keys: readonly string[]) => Promise<void>;
}

export interface ReadChanges {
  /** In order of time. */
  readonly changes: readonly HarvestedChange[];
  readonly lists: KnownList[];
}

const MAX_LISTS = 50_000;
const BATCH = 500;
/** Each batch is one durable commit. */
const SILENT_BATCH = 20_000;

/**
 * Reads all changes in the Change Lists of a collection that were not stored before. Stored keys decide this, never the clock, so
 * nothing is lost because of days without a time, equal times or late publication (T-RS-1).
 */
export async function readChanges(
  collection: FoundCollection,
  known: KnownCollection | undefined,
  ports: ChangePorts,
): Promise<ReadChanges> {
  const reading = new ChangeReading(collection, known, ports);
  for (const url of collection.changeLists) await reading.readTop(url);
  return reading.finish();
}

class ChangeReading {
  readonly #collection: FoundCollection;
  readonly #key: string;
  readonly #known: ReadonlyMap<string, KnownList>;
  readonly #markMs: number;
  readonly #ports: ChangePorts;
  readonly #keepSilently: ChangePorts['keepSilently'];
  readonly #changes = new Map<string, HarvestedChange>();
  readonly #lists = new Map<string, KnownList>();

  constructor(collection: FoundCollection, known: KnownCollection | undefined, ports: ChangePorts) {
    this.#collection = collection;
    this.#key = collectionKey(collection.describes);
    this.#known = new Map(known?.lists.map((list) => [list.url, list]));
    this.#markMs = known?.markMs ?? Number.NEGATIVE_INFINITY;
    this.#ports = ports;
    this.#keepSilently = known === undefined ? ports.keepSilently : undefined;
  }

  /** Reads a Change List or an index of them: only its root says which it is (RS-X2). */
  async readTop(url: string): Promise<void> {
    const inside = await this.#read({ url }, undefined);
    for (const list of inside) {
      if (this.#lists.has(list.url)) continue;
      if (this.#isDone(list)) this.#lists.set(list.url, this.#known.get(list.url) ?? list);
      else await this.#read(list, false);
    }
  }

  finish(): ReadChanges {
    return { changes: orderChanges([...this.#changes.values()]), lists: [...this.#lists.values()] };
  }

  /**
   * True for a list that was already closed when it was read, and whose time was over before that: it has nothing new (RS-G11,
   * RS-U3).
   */
  #isDone({ url, until }: KnownList): boolean {
    if (until === undefined || this.#known.get(url)?.until !== until) return false;
    const span = parseTimeSpan(until);
    return span !== undefined && span.endMs < this.#markMs;
  }

  /** Returns the lists that it names, if it is an index. */
  async #read(list: KnownList, isIndex: false | undefined): Promise<readonly KnownList[]> {
    const { url, until } = list;
    const before = this.#known.get(url);
    const expected = { capability: 'changelist', ...(isIndex === false && { isIndex }) } as const;
    const opened = await openDocument(url, expected, this.#ports, before?.validators);
    if (opened.is === 'unchanged') {
      this.#lists.set(url, { ...before, url, ...(until !== undefined && { until }) });
      return [];
    }
    const { inside, newestMs } = await this.#take(url, opened.parts);
    if (inside !== undefined) return inside;
    const validators = honest(opened.validators, newestMs);
    const isAskable = Object.keys(validators).length > 0;
    this.#lists.set(url, { url, ...(until !== undefined && { until }), ...(isAskable && { validators }) });
    return [];
  }

  async #take(url: string, parts: AsyncIterable<DocumentPart>): Promise<TakenList> {
    const { notes } = this.#collection;
    let inside: Map<string, KnownList> | undefined;
    let batch: HarvestedChange[] = [];
    let newestMs = Number.NEGATIVE_INFINITY;
    for await (const part of parts) {
      if (part.kind === 'document') inside = part.document.isIndex ? new Map() : undefined;
      else if (part.kind === 'problem') {
        if (inside !== undefined && hasLost(part.problem)) throw lostError(url, part.problem);
        notes.addProblem(url, part.problem);
      } else if (inside !== undefined) this.#addList(url, part.entry, inside);
      else {
        const change = harvestedChange(part.entry, this.#key, this.#ports.sites);
        newestMs = Math.max(newestMs, change?.datetimeMs ?? newestMs);
        if (change !== undefined) batch.push(change);
        if (batch.length < (this.#keepSilently === undefined ? BATCH : SILENT_BATCH)) continue;
        await this.#keepNew(url, batch);
        batch = [];
      }
    }
    await this.#keepNew(url, batch);
    return { inside: inside && [...inside.values()], newestMs };
  }

  #addList(url: string, { loc, md }: ReadEntry, lists: Map<string, KnownList>): void {
    if (lists.has(loc)) return;
    lists.set(loc, { url: loc, ...(md.until !== undefined && { until: md.until.text }) });
    if (lists.size > MAX_LISTS) throw new HarvestError(url, LIMIT, `It lists more than ${MAX_LISTS} Change Lists.`);
  }

  async #keepNew(url: string, batch: readonly HarvestedChange[]): Promise<void> {
    if (batch.length === 0) return;
    const keys = batch.map(({ key }) => key);
    if (this.#keepSilently !== undefined) return await this.#keepSilently(keys);
    const seen = await this.#ports.seenAmong(keys);
    for (const change of batch) {
      if (seen.has(change.key)) continue;
      // A repeated change happened again, after those in between: `created`, `deleted` and `created` on one day.
      this.#changes.delete(change.key);
      this.#changes.set(change.key, change);
    }
    const { maxNewChanges: most } = this.#ports.limits;
    if (this.#changes.size <= most) return;
    const remedy = 'To follow it without them, begin with --from-now and a --state of its own.';
    throw new HarvestError(url, LIMIT, `Its collection has more than ${most} new changes at once. ${remedy}`);
  }
}

interface TakenList {
  /** The lists that it names; undefined if it is not an index. */
  readonly inside: readonly KnownList[] | undefined;
  /** The latest time of its changes. */
  readonly newestMs: number;
}

/** Drops the date of a list that is older than its own changes: it belongs to something else, such as a whole build. */
function honest({ lastModified, ...others }: Validators, newestMs: number): Validators {
  const isDate = lastModified !== undefined && (httpDateMs(lastModified) ?? newestMs) > newestMs;
  return { ...others, ...(isDate && { lastModified }) };
}
