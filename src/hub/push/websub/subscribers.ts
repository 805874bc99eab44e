import { hash } from 'node:crypto';
import { hubUrlKey } from '../../../codecs/websub/hub-url.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import type { WebSubRecord, WebSubState, WebSubStore, WebSubWrite } from './websub-store.ts';

const ID_DIGITS = 32;

/** The same for every spelling of the two URLs. */
export function websubId(topic: string, callback: string): string {
  const key = JSON.stringify([hubUrlKey(topic) ?? topic, hubUrlKey(callback) ?? callback]);
  return hash('sha256', key, 'hex').slice(0, ID_DIGITS);
}

/** All subscriptions, in memory and in the store. Reads need no query. */
export class Subscribers {
  readonly #store: WebSubStore;
  readonly #records = new Map<string, WebSubRecord>();
  readonly #byPath = new Map<string, Set<string>>();
  readonly #hosts = new Map<string, number>();
  /** Written with the next flush. */
  readonly #unwritten = new Set<string>();
  #topics = new Map<string, number>();
  #seq: number | undefined;

  /** `onHeard` is called with what another process of the hub has written. */
  constructor(
    store: WebSubStore,
    { records }: Pick<WebSubState, 'records'>,
    onHeard: (record: WebSubRecord) => void = () => {},
  ) {
    this.#store = store;
    for (const record of records) this.#enter(record);
    store.onWritten((step, isOwn) => {
      if (!isOwn) this.#hear(step, onHeard);
    });
  }

  get size(): number {
    return this.#records.size;
  }

  get active(): number {
    let count = 0;
    for (const { active } of this.#records.values()) if (active !== undefined) count += 1;
    return count;
  }

  all(): Iterable<WebSubRecord> {
    return this.#records.values();
  }

  get(id: string): WebSubRecord | undefined {
    return this.#records.get(id);
  }

  /** The topics with subscriptions, or with requests for one. */
  paths(): Iterable<string> {
    return this.#byPath.keys();
  }

  hasPath(path: string): boolean {
    return this.#byPath.has(path);
  }

  /** The subscriptions of a topic. A copy, because the original may change during iteration. */
  on(path: string): readonly WebSubRecord[] {
    return [...(this.#byPath.get(path) ?? [])].flatMap((id) => this.#records.get(id) ?? []);
  }

  /** How many have their callback at a host. */
  at(host: string): number {
    return this.#hosts.get(host) ?? 0;
  }

  /** Durable when it resolves; if it throws, nothing has changed. */
  async put(record: WebSubRecord): Promise<void> {
    await this.#write(record);
    this.#leave(record.id);
    this.#enter(record);
  }

  /** Takes effect at once, and is durable after the next {@link flush}. A record that is neither active nor pending is removed. */
  note(record: WebSubRecord): void {
    this.#leave(record.id);
    if (record.active !== undefined || record.pending !== undefined) this.#enter(record);
    this.#unwritten.add(record.id);
  }

  /** The same for the place in the log, and the changed topics. */
  noteSeq(seq: number, topics: ReadonlyMap<string, number>): void {
    this.#seq = seq;
    for (const [path, newest] of topics) this.#topics.set(path, newest);
  }

  /** Returns whether the store accepted it. Refused writes are included in the next one. */
  async flush(): Promise<boolean> {
    try {
      await this.#write();
      return true;
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      return false;
    }
  }

  /** Includes everything that waits to be written. */
  async #write(record?: WebSubRecord): Promise<void> {
    const put = record === undefined ? [] : [record];
    const remove: string[] = [];
    for (const id of this.#unwritten) {
      const noted = this.#records.get(id);
      if (id === record?.id) continue;
      if (noted === undefined) remove.push(id);
      else put.push(noted);
    }
    const [ids, topics, seq] = [[...this.#unwritten], this.#topics, this.#seq];
    this.#unwritten.clear();
    this.#topics = new Map();
    this.#seq = undefined;
    try {
      await this.#store.write({ put, remove, topics: [...topics], ...(seq !== undefined && { seq }) });
    } catch (error) {
      for (const id of ids) this.#unwritten.add(id);
      this.#topics = new Map([...topics, ...this.#topics]);
      this.#seq ??= seq;
      throw error;
    }
  }

  /** For records that wait to be written here, this process knows the deliveries better: it merges what it hears, and writes the result again. */
  #hear({ put = [], remove = [] }: WebSubWrite, onHeard: (record: WebSubRecord) => void): void {
    for (const heard of put) {
      const active = this.#unwritten.has(heard.id) ? this.#records.get(heard.id)?.active : undefined;
      const record = active === undefined || heard.pending?.mode === 'denied' ? heard : { ...heard, active };
      this.#leave(heard.id);
      this.#enter(record);
      onHeard(record);
    }
    for (const id of remove) if (!this.#unwritten.has(id)) this.#leave(id);
  }

  #enter(record: WebSubRecord): void {
    const { id, path } = record;
    this.#records.set(id, record);
    const ids = this.#byPath.get(path) ?? new Set<string>();
    this.#byPath.set(path, ids.add(id));
    const host = callbackHost(record);
    this.#hosts.set(host, this.at(host) + 1);
  }

  #leave(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    const ids = this.#byPath.get(record.path);
    ids?.delete(id);
    if (ids?.size === 0) this.#byPath.delete(record.path);
    const host = callbackHost(record);
    const left = this.at(host) - 1;
    if (left > 0) this.#hosts.set(host, left);
    else this.#hosts.delete(host);
  }
}

/** With its port. */
export function callbackHost({ active, pending }: WebSubRecord): string {
  return new URL(active?.callback ?? pending?.callback ?? '').host;
}
