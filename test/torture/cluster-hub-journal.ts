import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

interface JournalRow {
  readonly rev: number;
  readonly sha256: string;
}

const SCHEMA = 'tidings';
const REST_MS = 250;
const AT_ONCE = 2000;

/** Reads the journal by number with SQL of its own, over whatever becomes of the server, and remembers what stood where. */
export class JournalWatcher implements AsyncDisposable {
  /** The hash of each write, by its place. */
  readonly seen = new Map<number, string>();
  /** Places that were passed over, and places that hold something else than before. */
  readonly wrong = { holes: 0, changed: 0 };
  readonly #url: string;
  #client: pg.Client | undefined;
  #last = 0;
  #isOver = false;
  /** One question at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #reading: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  start(): void {
    this.#reading = this.#readOn();
  }

  /** Asks the database, once there is one to ask. */
  async ask<Row extends pg.QueryResultRow>(question: string, values: unknown[] = []): Promise<Row[]> {
    const answer = this.#turn.then(async () => await this.#patiently<Row>(question, values));
    this.#turn = answer.catch(() => undefined);
    return await answer;
  }

  /** To its end; then all that is kept once more. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#reading;
    while ((await this.#read(this.#last)) > 0);
    for (let after = 0; after < this.#last; after += AT_ONCE) {
      for (const { rev, sha256 } of await this.#rows(after)) if (this.seen.get(rev) !== sha256) this.wrong.changed += 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#reading?.catch(() => {});
    await this.#client?.end().catch(() => {});
  }

  async #patiently<Row extends pg.QueryResultRow>(question: string, values: unknown[]): Promise<Row[]> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        this.#client ??= await this.#connected();
        return (await this.#client.query<Row>(question, values)).rows;
      } catch (error) {
        await this.#client?.end().catch(() => {});
        this.#client = undefined;
        if (attempt > 600) throw error;
        await pause(50);
      }
    }
  }

  async #connected(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url, query_timeout: 20_000 });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async #readOn(): Promise<void> {
    while (!this.#isOver) if ((await this.#read(this.#last)) < AT_ONCE) await pause(REST_MS);
  }

  async #read(after: number): Promise<number> {
    const rows = await this.#rows(after);
    for (const { rev, sha256 } of rows) {
      if (rev !== this.#last + 1) this.wrong.holes += 1;
      this.#last = rev;
      this.seen.set(rev, sha256);
    }
    return rows.length;
  }

  /** Of those places; what was let go for a base is not there any more. */
  async #rows(after: number): Promise<JournalRow[]> {
    return await this.ask<JournalRow>(
      `SELECT rev::float8, encode(sha256(body), 'hex') AS sha256 FROM ${SCHEMA}.writes WHERE rev > $1 AND rev <= $1 + $2 ORDER BY rev`,
      [after, AT_ONCE],
    );
  }
}
