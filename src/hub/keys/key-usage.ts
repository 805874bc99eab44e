import type { Alarm } from '../schedule/scheduler.ts';

/** The requests with a key, and the bytes sent to it. */
export interface UsageCount {
  /** Answered, those included that found nothing new. */
  readonly requests: number;
  /** The size of the sent bodies. */
  readonly bytes: number;
  /** Beyond the limit of its tier (429); not among the requests. */
  readonly refused: number;
}

/** One day in UTC. */
export interface UsageDay extends UsageCount {
  /** Days since 1970. */
  readonly day: number;
  readonly lastMs: number;
}

/** What was counted for an owner of keys on a day. */
export interface OwnerUsage extends UsageDay {
  readonly owner: string;
}

/** Where usage is kept. */
export interface KeyUsageStore {
  /** Adds to what is there, and drops the days before `firstDay`: one transaction, durable when it resolves. */
  addUsage(counts: readonly OwnerUsage[], firstDay: number): Promise<void>;
  /** For one owner, oldest first. */
  usageOf(owner: string): Promise<readonly UsageDay[]>;
  /** For all owners, unordered. */
  allUsage(): Promise<readonly OwnerUsage[]>;
}

export interface UsageMeterParts {
  readonly store: KeyUsageStore;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** Called when a write fails; what was counted is kept and written later. */
  readonly onProblem: (error: unknown) => void;
}

/** How many days are kept, including today. */
export const USAGE_DAYS = 90;
const DAY_MS = 86_400_000;
/** All keys together are written once in that time. */
const WRITE_EVERY_MS = 60_000;

type Counting = { -readonly [Key in keyof OwnerUsage]: OwnerUsage[Key] };

/**
 * Counts requests with keys by owner: exact, in memory, and written in batches.
 *
 * A crash forgets at most a minute of it. While the store refuses, counting continues.
 */
export class UsageMeter implements AsyncDisposable {
  readonly #parts: UsageMeterParts;
  /** By owner and day. */
  #waiting = new Map<string, Counting>();
  #last: Promise<unknown> = Promise.resolve();
  #cancelAlarm: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: UsageMeterParts) {
    this.#parts = parts;
  }

  /** A request was answered; what is sent of its body is counted with {@link sent}. */
  answered(owner: string): void {
    this.#of(owner).requests += 1;
  }

  sent(owner: string, bytes: number): void {
    this.#of(owner).bytes += bytes;
  }

  refused(owner: string): void {
    this.#of(owner).refused += 1;
  }

  /** What is stored and what is not yet, oldest day first. */
  usageOf(owner: string): Promise<readonly UsageDay[]> {
    return this.#inTurn(async () => {
      const stored = (await this.#parts.store.usageOf(owner)).map((day) => ({ ...day, owner }));
      const waiting = [...this.#waiting.values()].filter((one) => one.owner === owner);
      return usageByOwner([...stored, ...waiting], this.#parts.now()).get(owner) ?? [];
    });
  }

  /** The same of everybody. */
  allUsage(): Promise<ReadonlyMap<string, readonly UsageDay[]>> {
    return this.#inTurn(async () => {
      const stored = await this.#parts.store.allUsage();
      return usageByOwner([...stored, ...this.#waiting.values()], this.#parts.now());
    });
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    return this.#inTurn(() => this.#write());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  #of(owner: string): Counting {
    const lastMs = this.#parts.now();
    const day = Math.floor(lastMs / DAY_MS);
    let count = this.#waiting.get(nameOf({ owner, day }));
    if (count === undefined) {
      count = { owner, day, requests: 0, bytes: 0, refused: 0, lastMs };
      this.#waiting.set(nameOf(count), count);
      this.#arm();
    }
    count.lastMs = lastMs;
    return count;
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const batch = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      await this.#parts.store.addUsage(batch, firstDayAt(this.#parts.now()));
    } catch (error) {
      const kept = sumByDay([...batch, ...this.#waiting.values()]);
      this.#waiting = new Map(kept.map((one) => [nameOf(one), one]));
      this.#arm();
      this.#parts.onProblem(error);
    }
  }

  /** A read during a write would see a batch twice, or not at all. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #arm(): void {
    if (this.#isClosed || this.#cancelAlarm !== undefined) return;
    this.#cancelAlarm = this.#parts.alarm(WRITE_EVERY_MS, () => void this.flush());
  }
}

/** The kept days of each owner, oldest first. */
export function usageByOwner(counts: readonly OwnerUsage[], nowMs: number): Map<string, readonly UsageDay[]> {
  const firstDay = firstDayAt(nowMs);
  const byOwner = new Map<string, UsageDay[]>();
  const sorted = sumByDay(counts).sort((one, other) => one.day - other.day);
  for (const { owner, ...day } of sorted) {
    const days = byOwner.get(owner) ?? [];
    byOwner.set(owner, days);
    if (day.day >= firstDay) days.push(day);
  }
  return byOwner;
}

function firstDayAt(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS) - USAGE_DAYS + 1;
}

function nameOf({ owner, day }: Pick<OwnerUsage, 'owner' | 'day'>): string {
  return `${owner} ${day}`;
}

function sumByDay(counts: readonly OwnerUsage[]): Counting[] {
  const sums = new Map<string, Counting>();
  for (const count of counts) {
    const sum = sums.get(nameOf(count)) ?? { ...count, requests: 0, bytes: 0, refused: 0 };
    sum.requests += count.requests;
    sum.bytes += count.bytes;
    sum.refused += count.refused;
    sum.lastMs = Math.max(sum.lastMs, count.lastMs);
    sums.set(nameOf(count), sum);
  }
  return [...sums.values()];
}
