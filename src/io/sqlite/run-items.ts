import type { DiffDeltaItem } from '../../codecs/diffdelta/wire.ts';
import type { ItemRecord } from '../../dialects/diffdelta/runs/run-items.ts';
import type { PackedItem } from '../../dialects/diffdelta/shelf/run-store.ts';
import type { SqliteDatabase } from './database.ts';
import { decodeStored } from './follow-tables.ts';
import { PackedText } from './packed-text.ts';

/** What items have in common, the most frequent last. It stays as it is: what is stored can be read by it alone. */
const ITEMS = new PackedText(
  [
    '"risk":{"score":0.5,"reasons":["","action":"delete"},"action":"create","verified":true,"signer":"did:web:',
    '+{"source":"docs","id":"https://www.example.com/docs/index.html","url":"https://www.example.com/docs/index.html",',
    '"published_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z","headline":"","content":{',
    '"excerpt_text":"","checksum":"sha256:","sections":[{"anchor":"","action":"update","checksum":"sha256:',
    '","excerpt_text":""}]},"provenance":{"content_hash":"sha256:","fetched_at":"2026-01-01T00:00:00.000Z",',
    '"evidence_urls":["https://"],"revision":1}}',
  ].join(''),
);

/** What is remembered of each item. Throws what SQLite throws; what writes belongs into a transaction of the caller. */
export class RunItems {
  readonly #file: string;
  readonly #sql: ReturnType<typeof prepare>;
  /** Whether an earlier version left items that have not changed since. */
  readonly #hasEarlier: boolean;

  constructor(database: SqliteDatabase, file: string) {
    this.#file = file;
    this.#sql = prepare(database);
    this.#hasEarlier = this.#sql.anyEarlier.get() !== undefined;
  }

  find(source: string, id: string): ItemRecord | undefined {
    const key = JSON.stringify(id);
    const row = this.#sql.find.get(source, key) as { readonly body: Uint8Array } | undefined;
    if (row !== undefined) return this.#unpack(row.body);
    if (!this.#hasEarlier) return undefined;
    const earlier = this.#sql.findEarlier.get(source, key) as EarlierRow | undefined;
    return earlier && { item: this.#decode(earlier.item), isRemoved: earlier.is_removed === 1 };
  }

  put({ source, id, body }: PackedItem): void {
    const key = JSON.stringify(id);
    this.#sql.put.run(source, key, body);
    if (this.#hasEarlier) this.#sql.removeEarlier.run(source, key);
  }

  #unpack(body: Uint8Array): ItemRecord {
    const text = ITEMS.unpack(body);
    return { item: this.#decode(text.slice(1)), isRemoved: text.startsWith('-') };
  }

  #decode(text: string): DiffDeltaItem {
    return decodeStored(text, this.#file) as DiffDeltaItem;
  }
}

interface EarlierRow {
  readonly item: string;
  readonly is_removed: number;
}

export function packItem({ item, isRemoved }: ItemRecord): PackedItem {
  const body = ITEMS.pack(`${isRemoved ? '-' : '+'}${JSON.stringify(item)}`);
  return { source: item.source, id: item.id, body };
}

function prepare(database: SqliteDatabase) {
  return {
    find: database.prepare('SELECT body FROM hub_run_known WHERE source = ? AND id = ?'),
    put: database.prepare('INSERT OR REPLACE INTO hub_run_known (source, id, body) VALUES (?, ?, ?)'),
    anyEarlier: database.prepare('SELECT 1 FROM hub_run_items LIMIT 1'),
    findEarlier: database.prepare('SELECT is_removed, item FROM hub_run_items WHERE source = ? AND id = ?'),
    removeEarlier: database.prepare('DELETE FROM hub_run_items WHERE source = ? AND id = ?'),
  };
}
