import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { cursorOf, hashOfText } from '../../src/doors/diffdelta.ts';
import type { Change } from '../../src/model/change.ts';
import { ask, type Reading, refuse } from './hub-readers.ts';

interface Item {
  readonly source: string;
  readonly id: string;
  readonly provenance: { readonly content_hash: string; readonly revision: number };
}

interface Feed {
  readonly cursor: string | null;
  readonly prev_cursor: string | null;
  readonly changed: boolean;
  readonly generated_at: string;
  readonly sources_included: readonly string[];
  readonly archive_url?: string;
  readonly prev_archive_url?: string;
  readonly buckets: {
    readonly new: Item[];
    readonly updated: Item[];
    readonly removed: Item[];
    readonly flagged: Item[];
  };
}

const GLOBAL = '_global';
const REST_MS = 40;

/** What was ever served, by whichever server of a hub. */
export class RunMemory {
  /** By path and ETag, and by the path of an archive. */
  readonly served = new Map<string, string>();
  readonly cursors = new Map<string, string>();
  /** Which run follows on which, of each feed. */
  readonly #followers = new Map<string, string>();

  /** Whether another run was seen to follow on the same one: then there are two histories. */
  forks(name: string, { cursor, prev_cursor: before }: Pick<Feed, 'cursor' | 'prev_cursor'>): boolean {
    if (cursor === null || cursor === before) return false;
    const key = `${name} ${before}`;
    const known = this.#followers.get(key) ?? cursor;
    this.#followers.set(key, known);
    return known !== cursor;
  }
}

/** Reads DiffDelta heads, feeds and archives as clients do, through all that happens to the hub, and holds each against the last. */
export class RunReader {
  /** Runs that were walked through at the end. */
  runs = 0;
  readonly #reading: Reading;
  readonly #names: readonly string[];
  readonly #memory: RunMemory;

  constructor(reading: Reading, sources: readonly string[], memory = new RunMemory()) {
    this.#reading = reading;
    this.#memory = memory;
    this.#names = [GLOBAL, ...sources];
  }

  async run(): Promise<void> {
    while (!this.#reading.signal.aborted) {
      await this.step();
      await pause(this.#reading.hub === undefined ? REST_MS : this.#reading.random.integer(0, 20));
    }
  }

  async step(): Promise<void> {
    const name = this.#reading.random.pick(this.#names);
    const head = await this.#get(`${folderOf(name)}head.json`);
    const latest = await this.#get(`${folderOf(name)}latest.json`);
    if (head === undefined || latest === undefined) return;
    this.#holds(latest, { name, where: `${name} latest` });
    if (head.cursor === latest.cursor) return;
    // A run may come between the two questions, then the head has moved as well.
    const again = await this.#get(`${folderOf(name)}head.json`);
    if (again === undefined || again.cursor !== head.cursor) return;
    this.#reading.wrong.torn += 1;
    this.#reading.complain(`torn: the head of ${name} has ${head.cursor}, its feed ${latest.cursor}`);
  }

  /** Every archive back to the first one; then what a client holds that applied them all is what the log says. */
  async finish(changes: readonly Change[]): Promise<void> {
    for (const name of this.#names) {
      const own = changes.filter(({ source }) => name === GLOBAL || source === name);
      const wanted = livePages(own);
      const got = await this.#walk(name);
      if (got === undefined) continue;
      const missing = [...wanted].filter((url) => !got.has(url));
      const surplus = [...got].filter((url) => !wanted.has(url));
      if (missing.length + surplus.length === 0) continue;
      this.#reading.wrong.holes += 1;
      this.#reading.complain(`hole: runs of ${name}: missing ${missing.slice(0, 3)}, too many ${surplus.slice(0, 3)}`);
    }
  }

  async #walk(name: string): Promise<ReadonlySet<string> | undefined> {
    const latest = await this.#get(`${folderOf(name)}latest.json`);
    if (latest === undefined) return undefined;
    const newestFirst: Feed[] = [];
    const cursors = new Set<string | null>();
    let path = latest.archive_url;
    while (path !== undefined) {
      const archive = await this.#get(path.slice(1));
      if (archive === undefined) return undefined;
      this.#holds(archive, { name, where: path });
      const after = newestFirst.at(-1);
      const isChained = after === undefined ? archive.cursor === latest.cursor : after.prev_cursor === archive.cursor;
      if (!isChained || !archive.changed || cursors.has(archive.cursor)) {
        this.#reading.wrong.holes += 1;
        this.#reading.complain(`hole: ${path} does not fit into the chain of ${name}`);
      }
      cursors.add(archive.cursor);
      newestFirst.push(archive);
      path = archive.prev_archive_url;
    }
    this.runs += newestFirst.length;
    const live = new Set<string>();
    for (const { buckets } of newestFirst.reverse()) {
      for (const { id } of [...buckets.new, ...buckets.updated, ...buckets.flagged]) live.add(id);
      for (const { id } of buckets.removed) live.delete(id);
    }
    return live;
  }

  async #get(path: string): Promise<Feed | undefined> {
    const answer = await ask(
      path,
      { 'accept-encoding': this.#reading.random.pick(['identity', 'gzip']) },
      this.#reading,
    );
    if (answer === undefined) return undefined;
    if (answer.status !== 200) {
      refuse(this.#reading, `${answer.status} for ${path}`);
      return undefined;
    }
    const etag = (answer.headers.get('etag') ?? 'for ever').replace('.gz"', '"');
    const digest = createHash('sha256').update(answer.bytes).digest('hex');
    const before = this.#memory.served.get(`${path} ${etag}`);
    if (before !== undefined && before !== digest) {
      this.#reading.wrong.changedBytes += 1;
      this.#reading.complain(`changed bytes: ${path} under ${etag}`);
    }
    this.#memory.served.set(`${path} ${etag}`, digest);
    const text = answer.bytes.toString();
    const hash = hashOfText(text);
    const feed = JSON.parse(text) as Feed & { hash?: string };
    if (hash !== feed.hash) refuse(this.#reading, `${path} has the hash ${feed.hash}, not ${hash}`);
    return feed;
  }

  /** §2.3 and §2.1 in every feed; a cursor stands for one content for ever. */
  #holds(feed: Feed, { name, where }: { readonly name: string; readonly where: string }): void {
    if (this.#memory.forks(name, feed)) {
      this.#reading.wrong.holes += 1;
      this.#reading.complain(`hole: another run than before follows on ${feed.prev_cursor} in ${where}`);
    }
    if (feed.changed !== (feed.cursor !== feed.prev_cursor))
      refuse(this.#reading, `${where}: changed is ${feed.changed}`);
    if (feed.cursor === null) return;
    if (cursorOf(feed) !== feed.cursor) refuse(this.#reading, `${where}: its cursor is not that of its items`);
    const content = JSON.stringify(feed.buckets);
    const known = this.#memory.cursors.get(feed.cursor);
    if (known !== undefined && known !== content) refuse(this.#reading, `${where}: the cursor had other items before`);
    this.#memory.cursors.set(feed.cursor, content);
  }
}

function folderOf(name: string): string {
  return name === GLOBAL ? 'diff/' : `diff/${name}/`;
}

function livePages(changes: readonly Change[]): ReadonlySet<string> {
  const live = new Set<string>();
  for (const { action, url, anchor } of changes) {
    if (action === 'delete' && anchor === undefined) live.delete(url);
    else live.add(url);
  }
  return live;
}
