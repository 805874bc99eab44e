import { createHash } from 'node:crypto';
import { decodeCheckpoint } from '../../src/codecs/tlog/checkpoint.ts';
import { decodeEntryBundle } from '../../src/codecs/tlog/entry-bundle.ts';
import { openCheckpoint } from '../../src/codecs/tlog/open-checkpoint.ts';
import { encodeTilePath } from '../../src/codecs/tlog/tile-path.ts';
import { newBundles } from '../../src/codecs/tlog/tiles-of-size.ts';
import { decodeVerifierKey } from '../../src/codecs/tlog/verifier-key.ts';
import type { ShelfDocument, ShelfSource } from '../../src/dialects/shelf.ts';
import type { StepRelay } from '../../src/dialects/step-relay.ts';
import { storeTiles } from '../../src/dialects/tlog/shelf/store-tiles.ts';
import { createLogSigner } from '../../src/dialects/tlog/shelf/tlog-key.ts';
import { openTlogShelf } from '../../src/dialects/tlog/shelf/tlog-shelf.ts';
import type { TlogStore, TlogWrite } from '../../src/dialects/tlog/shelf/tlog-store.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { openSqliteTlogStore } from '../../src/io/sqlite/tlog-store.ts';
import { gunzipDocument, gzipDocument } from '../../src/io/zlib/document.ts';
import type { Change, ChangeDraft } from '../../src/model/change.ts';
import { verifySignature } from '../../src/surface/ed25519.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MANY_BYTES = 1e9;

export interface TlogLabOptions {
  readonly folder: string;
  readonly baseUrl?: () => string;
  readonly startMs?: number;
  readonly epoch?: string;
  readonly relay?: StepRelay<TlogWrite>;
  /** Wraps the store of the shelf. */
  readonly around?: (store: TlogStore) => TlogStore;
  /** The documents of other shelves, by the `seq` of their newest change. */
  readonly documents?: () => readonly (ShelfDocument & { readonly seq: number })[];
  readonly documentsSeq?: () => number;
  readonly onProblem?: (message: string) => void;
  /** Called when a change that was read from the log becomes an entry. */
  readonly onEntry?: () => void;
}

/** A hub's store and its provable log with a test clock: nothing waits in real time, `advance` wakes everything. */
export async function openTlogLab(options: TlogLabOptions) {
  const { folder, startMs = NOON, baseUrl = () => 'https://hub.example/', around = (each) => each, epoch } = options;
  let nowMs = startMs;
  let salts = 0;
  const sources = new Map<string, ShelfSource>();
  const titles = new Map<string, string>();
  const waiting = new Set<{ readonly atMs: number; readonly wake: () => void }>();
  const store = await openSqliteHubStore({ folder, now: () => nowMs });
  const tables = around(store.openTables(openSqliteTlogStore));
  const shelf = await openTlogShelf({
    store: tables,
    readChanges: (after) => noted(store.changes({ after }), options.onEntry),
    sources: () => [...sources.values()],
    sourceOf: (id) => sources.get(id),
    documentsSince: async function* (seq) {
      for (const document of options.documents?.() ?? []) if (document.seq > seq) yield document;
    },
    documentsNaming: async function* (source) {
      for (const document of options.documents?.() ?? []) if (document.path.includes(source)) yield document;
    },
    documentsSeq: options.documentsSeq ?? (() => Number.POSITIVE_INFINITY),
    relay: options.relay,
    onProblem: options.onProblem,
    epoch,
    baseUrl,
    gzip: gzipDocument,
    // For tests: keys derived from a counter are not used anywhere else.
    random: (size) => {
      salts += 1;
      const seed = createHash('sha256').update(`test ${folder} ${startMs} ${salts}`).digest();
      return Buffer.concat(
        Array.from({ length: Math.ceil(size / 32) }, (_, at) => Buffer.from(seed.map((byte) => byte ^ at))),
        size,
      );
    },
    signer: createLogSigner(),
    now: () => nowMs,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add({ atMs: nowMs + ms, wake });
        signal.addEventListener('abort', wake);
      }),
  });
  store.onChanges((changes) => void shelf.add(changes));
  const files = storeTiles({ store: tables, gunzip: gunzipDocument });
  const text = async (path: string) => {
    const bytes = await files.read(path, MANY_BYTES);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
  const lab = {
    store,
    tables,
    shelf,
    files,
    text,
    get nowMs() {
      return nowMs;
    },
    async commit(source: string, drafts: readonly Omit<ChangeDraft, 'source'>[]) {
      const changes = await store.commit({ source, drafts: drafts.map((draft) => ({ ...draft, source })) });
      await shelf.add([]);
      return changes;
    },
    rename(id: string, title: string): void {
      titles.set(id, title);
    },
    /** Records a check of a source, with its result. */
    check(id: string, health: Partial<ShelfSource['health']> = {}): void {
      const title = titles.get(id);
      const checked = { lastCheckMs: nowMs, lastOkMs: nowMs, changed: false, failures: 0, ...health };
      sources.set(id, {
        id,
        url: `https://${id}.example/`,
        status: 'ok',
        addedAtMs: NOON,
        health: checked,
        ...(title && { title }),
      });
      void shelf.restate([id]);
    },
    /** Moves the clock, and lets everything that is due happen. */
    async advance(ms: number) {
      const untilMs = nowMs + ms;
      for (;;) {
        const next = [...waiting].sort((one, other) => one.atMs - other.atMs)[0];
        if (next === undefined || next.atMs > untilMs) break;
        nowMs = Math.max(nowMs, next.atMs);
        waiting.delete(next);
        next.wake();
        await settled(shelf);
      }
      nowMs = untilMs;
      await settled(shelf);
    },
    /** The signed head, verified with the key beside it. */
    async head() {
      const [note, vkey] = [(await text('checkpoint')) ?? '', ((await text('vkey')) ?? '').trimEnd()];
      const key = decodeVerifierKey(vkey, sha256);
      if (!key.ok) throw new Error(key.issues[0].message);
      const opened = openCheckpoint(Buffer.from(note), {
        origin: key.value.name,
        logKeys: [key.value],
        verifySignature: verify,
      });
      if (!opened.ok) throw new Error(opened.issues[0].message);
      return opened.value.checkpoint;
    },
    /** All entries that the signed head covers. */
    async entries(): Promise<readonly Record<string, unknown>[]> {
      const note = (await text('checkpoint'))?.split('\n\n')[0];
      const head = decodeCheckpoint(`${note}\n`);
      if (!head.ok) throw new Error(head.issues[0].message);
      const entries: Record<string, unknown>[] = [];
      for (const tile of newBundles(0, head.value.treeSize)) {
        const bundle = decodeEntryBundle(
          (await files.read(encodeTilePath(tile), MANY_BYTES)) ?? new Uint8Array(),
          tile.width,
        );
        if (!bundle.ok) throw new Error(bundle.issues[0].message);
        for (const entry of bundle.value) entries.push(JSON.parse(Buffer.from(entry).toString()));
      }
      return entries;
    },
    async [Symbol.asyncDispose]() {
      await shelf[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
  return lab;
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function verify({
  publicKey,
  message,
  signature,
}: {
  publicKey: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}): boolean {
  return verifySignature(publicKey, message, signature);
}

/** A turn that has begun is over when the next one is. */
async function settled(shelf: { add(changes: readonly []): Promise<void> }): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise(setImmediate);
    await shelf.add([]);
  }
}

/** Changes that report when their title is first read: it is hashed into their entry. */
async function* noted(changes: AsyncIterable<Change>, onEntry: (() => void) | undefined): AsyncGenerator<Change> {
  for await (const { title, ...change } of changes) {
    let isSeen = false;
    const told = Object.defineProperty(change, 'title', {
      enumerable: true,
      get() {
        if (!isSeen) onEntry?.();
        isSeen = true;
        return title;
      },
    });
    yield title === undefined ? change : (told as Change);
  }
}
