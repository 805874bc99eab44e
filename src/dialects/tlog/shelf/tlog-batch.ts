import { concatBytes } from '../../../codecs/primitives/bytes.ts';
import { TILE_WIDTH } from '../../../codecs/tlog/tile-path.ts';
import type { Run } from '../../../log/runs-of.ts';
import { changeEntryBytes } from '../../../tlog/entry-of-change.ts';
import type { GrownTile } from '../../../tlog/grow-tree.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import { withSalts } from '../../../tlog/with-salts.ts';
import type { FollowedBatch } from '../../log-follower.ts';
import type { ShelfDocument, TextRedaction } from '../../shelf.ts';
import { growTreeInTurns } from './grow-tree-in-turns.ts';
import { artifactEntry, beginEntry, type CheckedAt, checkedEntry, redactionEntries } from './hub-entries.ts';
import { packSalts, unpackSalts } from './packed-salts.ts';
import { type HubLogSigner, newIdentity } from './tlog-key.ts';
import type { TlogState } from './tlog-state.ts';
import type { CheckedList, DocumentHash, TlogHead, TlogStore, TlogWrite } from './tlog-store.ts';

export interface TlogWorld {
  readonly store: TlogStore;
  readonly random: (size: number) => Uint8Array;
  readonly gzip: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly now: () => number;
  /** The public address of the hub, with a final slash. */
  readonly baseUrl: () => string;
  readonly epoch?: string | undefined;
  readonly signer: HubLogSigner;
}

/** A batch with more entries is full. */
const FULL_ENTRIES = 256;
const SALT_BYTES = 32;
const SALTS_AT_ONCE = 64;

/** Entries that are stored together, or the checkpoint of a stored head. */
export class TlogBatch implements FollowedBatch<TlogWrite> {
  readonly #state: TlogState;
  readonly #world: TlogWorld;
  readonly #after: number;
  readonly #before: TlogHead;
  readonly #isNew: boolean;
  readonly #entries: Uint8Array[] = [];
  readonly #changes: TlogWrite['changes'][number][] = [];
  readonly #documents = new Map<string, DocumentHash>();
  readonly #checks: CheckedList[] = [];
  readonly #redactions: { readonly seq: number; readonly salts: Uint8Array }[] = [];
  #documentsSeq: number;
  #isClosed = false;
  #checkpoint: string | undefined;

  constructor(state: TlogState, world: TlogWorld) {
    this.#state = state;
    this.#world = world;
    this.#after = state.seq;
    this.#documentsSeq = state.documentsSeq;
    this.#before = { size: state.edge.size, root: state.root };
    this.#isNew = state.identity === undefined;
  }

  get isFull(): boolean {
    return this.#isClosed || this.#entries.length >= FULL_ENTRIES;
  }

  /** Makes key, origin and the first entry, if the log has none yet. Whatever is added first does this, too. */
  begin(): void {
    const state = this.#state;
    if (state.identity !== undefined || state.beginning === undefined) return;
    const { random, baseUrl, epoch, now } = this.#world;
    state.identity = newIdentity({ seed: random(SALT_BYTES), base: new URL(baseUrl()), epoch });
    this.#add(beginEntry({ ...state.beginning, origin: state.identity.origin, atMs: now() }));
  }

  addRun({ changes }: Run): void {
    this.begin();
    const salt = saltsOf(this.#world.random);
    for (const change of changes) {
      const salted = withSalts(change, salt);
      const entry = this.#add(changeEntryBytes(salted));
      this.#changes.push({ seq: change.seq, entry, salts: packSalts(salted.salts) });
    }
    this.#state.seq = changes.at(-1)?.seq ?? this.#state.seq;
  }

  /** Adds the hash of a document, unless it is the last one that was added. */
  addDocument({ path, bytes, lasts = false }: ShelfDocument, after: number): void {
    const hash = sha256(bytes);
    const known = this.#documents.get(path)?.hash ?? (lasts ? undefined : this.#world.store.documentHash(path));
    if (known !== undefined && Buffer.compare(known, hash) === 0) return;
    this.begin();
    this.#add(artifactEntry({ path, hash, bytes: bytes.length, after }));
    if (!lasts) this.#documents.set(path, { path, hash });
  }

  /** Notes that all documents up to that `seq` were added. */
  documentsReach(seq: number): void {
    this.#documentsSeq = Math.max(this.#documentsSeq, seq);
  }

  /** Adds sources that were checked without finding anything new. */
  async addChecks(sources: readonly CheckedAt[]): Promise<void> {
    this.begin();
    const { entry, list } = checkedEntry(sources, this.#state.seq);
    this.#checks.push({ entry: this.#add(entry), atMs: this.#world.now(), body: await this.#world.gzip(list) });
  }

  /** Adds that texts were redacted, and drops their salts. */
  addRedaction(redaction: TextRedaction): void {
    this.begin();
    const { seq, fields } = redaction;
    for (const entry of redactionEntries(redaction, this.#world.now())) this.#add(entry);
    const salts = unpackSalts(this.#world.store.place(seq)?.salts ?? new Uint8Array()) ?? {};
    const kept = Object.fromEntries(Object.entries(salts).filter(([field]) => !fields.includes(field)));
    this.#redactions.push({ seq, salts: packSalts(kept) });
  }

  /** Ends the batch, so that it is stored before anything else. */
  close(): void {
    this.#isClosed = true;
  }

  /** Signs the checkpoint of a stored head. The batch may hold nothing else. */
  sign(): void {
    const { identity, edge, root } = this.#state;
    if (identity === undefined || this.#entries.length > 0) throw new Error('Only a head that is stored is signed.');
    this.#checkpoint = this.#world.signer.sign(identity, { size: edge.size, root });
    this.#state.signedSize = edge.size;
    this.#isClosed = true;
  }

  /** Replaces the shown checkpoint with its cosigned version. The batch may hold nothing else. */
  show(cosigned: string): void {
    if (this.#entries.length > 0) throw new Error('Cosignatures are stored by themselves.');
    this.#checkpoint = cosigned;
    this.#isClosed = true;
  }

  /** What is to be stored; undefined if there is nothing new. */
  async finish(): Promise<TlogWrite | undefined> {
    const { log, identity } = this.#state;
    const isMoved = this.#documentsSeq > this.#state.documentsSeq && identity !== undefined;
    if (this.#entries.length === 0 && this.#checkpoint === undefined && !isMoved) return undefined;
    const grown = await growTreeInTurns(this.#state.edge, this.#entries, sha256);
    const bundles = grown.tiles.filter(({ level, width }) => level === 'entries' && width === TILE_WIDTH);
    const packed: { index: number; body: Uint8Array }[] = [];
    for (const { index, bytes } of bundles) packed.push({ index, body: await this.#world.gzip(bytes) });
    const firstEntry = Math.max(this.#before.size, grown.edge.size - (grown.edge.size % TILE_WIDTH));
    this.#state.edge = grown.edge;
    this.#state.root = grown.root;
    this.#state.documentsSeq = this.#documentsSeq;
    return {
      log,
      after: this.#after,
      seq: this.#state.seq,
      before: this.#before,
      head: { size: grown.edge.size, root: grown.root },
      ...(this.#isNew && identity !== undefined && { begins: identity }),
      firstEntry,
      entries: this.#entries.slice(firstEntry - this.#before.size),
      bundles: packed,
      tiles: grown.tiles.flatMap(fullTile),
      openTiles: grown.edge.open.flatMap((hashes, level) =>
        level > 0 && grown.tiles.some((tile) => tile.level === level) ? { level, hashes: concatBytes(...hashes) } : [],
      ),
      changes: this.#changes,
      documents: [...this.#documents.values()],
      documentsSeq: this.#documentsSeq,
      checks: this.#checks,
      ...(this.#redactions.length > 0 && { redactions: this.#redactions }),
      ...(this.#checkpoint !== undefined && { checkpoint: this.#checkpoint }),
    };
  }

  /** Returns its index. */
  #add(entry: Uint8Array): number {
    this.#entries.push(entry);
    return this.#before.size + this.#entries.length - 1;
  }
}

/** Salts of 32 bytes as hex, many from one call of `random`. */
function saltsOf(random: TlogWorld['random']): () => string {
  let [pool, at] = ['', 0];
  return () => {
    if (at === pool.length) [pool, at] = [Buffer.from(random(SALT_BYTES * SALTS_AT_ONCE)).toString('hex'), 0];
    at += 2 * SALT_BYTES;
    return pool.slice(at - 2 * SALT_BYTES, at);
  };
}

function fullTile({ level, index, width, bytes }: GrownTile) {
  return level === 'entries' || width < TILE_WIDTH ? [] : [{ level, index, hashes: bytes }];
}
