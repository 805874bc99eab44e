import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { CursorReader } from '../support/cursor-reader.ts';

/** A write as it stands in the journal. */
export interface StoredWrite {
  readonly rev: number;
  readonly kind: string;
  readonly mark: string;
  readonly source: string;
  readonly token: number;
  readonly atMs: number;
  readonly changes: readonly { readonly seq: number; readonly id: string; readonly time: string }[];
}

interface WriteRow {
  readonly rev: number;
  readonly kind: string;
  readonly body: string;
  readonly at: number;
  readonly changes: readonly (readonly [number, string, string])[] | null;
}

/** Reads by number with SQL of its own, over whatever becomes of the server, and remembers all that it was ever given. */
export class ClusterReader implements AsyncDisposable {
  readonly seen = new Map<number, StoredWrite>();
  readonly cursor = new CursorReader(async (after) => await this.#take(after));
  readonly #url: string;
  readonly #schema: string;
  #client: pg.Client | undefined;
  #isOver = false;
  #reading: Promise<void> | undefined;

  constructor(url: string, schema: string) {
    this.#url = url;
    this.#schema = schema;
  }

  start(): void {
    this.#reading = this.#readOn();
  }

  /** All that there is, asked for at once. */
  async all(): Promise<StoredWrite[]> {
    return await this.#patiently(async (client) => await this.#query(client, 0));
  }

  /** Resolves with what `question` gives, once there is a server to ask. */
  async ask<Row extends pg.QueryResultRow>(question: string): Promise<Row[]> {
    return await this.#patiently(async (client) => (await client.query<Row>(question)).rows);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#reading;
    await this.cursor.readOn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#reading;
    await this.#client?.end().catch(() => {});
  }

  async #readOn(): Promise<void> {
    while (!this.#isOver) {
      await this.cursor.readOn();
      await pause(5);
    }
  }

  async #take(after: number): Promise<number[]> {
    const writes = await this.#patiently(async (client) => await this.#query(client, after));
    for (const write of writes) this.seen.set(write.rev, write);
    return writes.map(({ rev }) => rev);
  }

  async #patiently<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (this.#client === undefined) {
          const client = new pg.Client({ connectionString: this.#url, query_timeout: 20_000 });
          client.on('error', () => {});
          await client.connect();
          this.#client = client;
        }
        return await work(this.#client);
      } catch (error) {
        await this.#client?.end().catch(() => {});
        this.#client = undefined;
        if (attempt > 600) throw error;
        await pause(50);
      }
    }
  }

  async #query(client: pg.Client, after: number): Promise<StoredWrite[]> {
    const { rows } = await client.query<WriteRow>(
      `SELECT rev::float8, kind, convert_from(body, 'UTF8') AS body, (extract(epoch FROM at) * 1000)::float8 AS at,
         (SELECT json_agg(json_build_array(change.seq, change.id, change.body::json ->> 'time') ORDER BY change.seq)
          FROM ${this.#schema}.changes AS change
          WHERE change.seq > written.seq - written.changes AND change.seq <= written.seq) AS changes
       FROM ${this.#schema}.writes AS written WHERE rev > $1 ORDER BY rev`,
      [after],
    );
    return rows.map(({ rev, kind, body, at: atMs, changes }) => {
      const { mark, id: source, token } = JSON.parse(body) as { mark: string; id: string; token: number };
      const placed = (changes ?? []).map(([seq, id, time]) => ({ seq, id, time }));
      return { rev, kind, mark, source, token, atMs, changes: placed };
    });
  }
}
