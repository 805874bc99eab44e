import type { LaneTask } from '../schedule/host-lanes.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { PlannedVisits, VisitEnd, VisitPlan } from '../schedule/visit-plan.ts';
import type { Fence } from './journal.ts';
import { PassingTrouble } from './passing-trouble.ts';
import type { ClaimedSource, SourceLeases } from './source-leases.ts';

export interface ClaimedVisitsOptions {
  readonly leases: SourceLeases;
  /** The name of this process among those of the hub. */
  readonly holder: string;
  /** How long others wait for a process that has gone silent. */
  readonly leaseMs: number;
  readonly concurrency: number;
  /** The last `rev` that this process has applied. */
  readonly rev: () => number;
  /** Resolves when this process has applied all writes up to there. */
  readonly applied: (rev: number) => Promise<unknown>;
  /** A monotonic clock in milliseconds. */
  readonly elapsed: () => number;
  readonly alarm: Alarm;
  /** The leases cannot be asked what is due; it is tried again. Called once until the trouble is over. */
  readonly onTrouble: (error: unknown) => void;
  readonly onRecovered: () => void;
}

interface Lease {
  readonly token: number;
  /** The time by which it must be renewed. */
  endsMs: number;
  readonly hasNext: boolean;
}

/** How often the leases are asked without other news. */
const ASK_EVERY_MS = 1000;
/** Visits that end together ask together. */
const ASK_TOGETHER_MS = 20;
const LONGEST_PAUSE_MS = 5000;
const LATE_MS = 60_000;
/** How often per lease time the leases are looked at. */
const LOOKS_A_LEASE = 5;

/**
 * Visits the sources that this process could claim, while it holds their leases.
 *
 * The plan is stored in the database, with each source and each check. A lease is renewed while its visit runs. If it cannot be renewed in time, the visit is
 * given up before another process can begin one, whether the database can be reached or not.
 */
export class ClaimedVisits implements VisitPlan {
  readonly #options: ClaimedVisitsOptions;
  readonly #visits: PlannedVisits;
  readonly #leases = new Map<string, Lease>();
  readonly #trouble: PassingTrouble;
  #running = 0;
  #asking: Promise<void> | undefined;
  #hasMore = false;
  #armed: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #cancelRenewal: (() => void) | undefined;
  #isRenewing = false;
  #saidLateMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #onIdle: (() => void) | undefined;

  constructor(visits: PlannedVisits, options: ClaimedVisitsOptions) {
    this.#visits = visits;
    this.#options = options;
    this.#trouble = new PassingTrouble({ firstPauseMs: ASK_EVERY_MS, longestPauseMs: LONGEST_PAUSE_MS, ...options });
    this.#askIn(0);
  }

  /** The fence for writes to this source; undefined if this process does not hold its lease, or no longer does. */
  fenceOf(id: string): Fence | undefined {
    const lease = this.#leases.get(id);
    if (lease === undefined || lease.endsMs <= this.#options.elapsed()) return undefined;
    return { task: `source:${id}`, token: lease.token };
  }

  /** How many sources this process holds now. */
  get held(): number {
    return this.#leases.size;
  }

  /** A write has ended the visit, or was refused: this process no longer holds the lease. */
  ended(id: string): void {
    const hasNext = this.#leases.get(id)?.hasNext ?? false;
    this.#leases.delete(id);
    if (!hasNext) return;
    this.#hasMore = true;
    this.#askIn(ASK_TOGETHER_MS);
  }

  /** The plan is stored with the source. The leases are asked when one is due. */
  plan({ id }: LaneTask, delayMs: number): void {
    if (!this.#leases.has(id)) this.#askIn(Math.max(delayMs, ASK_TOGETHER_MS));
  }

  hasten({ id }: LaneTask, delayMs: number): void {
    this.#options.leases.hasten(id, delayMs).then(
      () => this.#askIn(Math.max(delayMs, ASK_TOGETHER_MS)),
      (error: unknown) => this.#trouble.met(error),
    );
  }

  /** Nothing to do: the write of a source decides that nobody visits it. */
  forget(): void {}

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#disarm();
    await this.#asking;
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    this.#cancelRenewal?.();
    this.#cancelRenewal = undefined;
  }

  #askIn(ms: number): void {
    if (this.#isStopped) return;
    const atMs = this.#options.elapsed() + Math.max(this.#trouble.pauseMs, Math.min(ms, ASK_EVERY_MS));
    if (this.#armed === undefined || atMs < this.#armed.atMs) this.#arm(atMs);
  }

  #arm(atMs: number): void {
    this.#disarm();
    const cancel = this.#options.alarm(Math.max(0, atMs - this.#options.elapsed()), () => {
      this.#armed = undefined;
      void this.#ask();
    });
    this.#armed = { atMs, cancel };
  }

  #disarm(): void {
    this.#armed?.cancel();
    this.#armed = undefined;
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    const most = this.#options.concurrency - this.#running;
    if (this.#isStopped || this.#asking !== undefined || most <= 0) return;
    this.#asking = this.#claim(most);
    await this.#asking;
    this.#asking = undefined;
    this.#askIn(ASK_EVERY_MS);
  }

  async #claim(most: number): Promise<void> {
    const { leases, holder, leaseMs, elapsed, rev } = this.#options;
    const endsMs = elapsed() + leaseMs;
    try {
      const claimed = await leases.claim({ holder, most, leaseMs, rev: rev() });
      this.#trouble.over();
      this.#hasMore = claimed.length === most;
      for (const source of claimed) this.#begin(source, endsMs);
    } catch (error) {
      this.#hasMore = false;
      this.#trouble.met(error);
    }
  }

  #begin(source: ClaimedSource, endsMs: number): void {
    const { id, token, lateMs, hasNext } = source;
    this.#leases.set(id, { token, endsMs, hasNext });
    this.#renewSoon();
    this.#sayIfLate(lateMs);
    this.#running += 1;
    void this.#visit(source).then((end) => {
      this.#running -= 1;
      if (end !== undefined) this.#conclude(source, end);
      if (this.#running === 0) this.#onIdle?.();
      this.#askIn(this.#hasMore ? ASK_TOGETHER_MS : ASK_EVERY_MS);
    });
  }

  /** Undefined if the lease was lost before the visit could begin. Never rejects. */
  async #visit({ id, token, rev }: ClaimedSource): Promise<VisitEnd | undefined> {
    try {
      await this.#options.applied(rev);
    } catch (error) {
      this.#trouble.met(error);
      return { is: 'put-off', delayMs: ASK_EVERY_MS };
    }
    if (this.#isStopped) return { is: 'put-off', delayMs: 0 };
    return this.fenceOf(id)?.token === token ? this.#visits.run(id) : undefined;
  }

  #conclude({ id, token }: ClaimedSource, end: VisitEnd): void {
    // The write of its check ends the lease.
    if (end.is === 'checked' || this.#leases.get(id)?.token !== token) return;
    this.#leases.delete(id);
    const afterMs = this.#isStopped ? 0 : end.delayMs;
    this.#options.leases.release({ id, token }, afterMs).catch((error: unknown) => this.#trouble.met(error));
  }

  #renewSoon(): void {
    this.#cancelRenewal ??= this.#options.alarm(this.#options.leaseMs / LOOKS_A_LEASE, () => {
      this.#cancelRenewal = undefined;
      this.#giveUpLate();
      void this.#renew();
      if (this.#leases.size > 0) this.#renewSoon();
    });
  }

  /** Never rejects. */
  async #renew(): Promise<void> {
    const { leases, leaseMs, elapsed } = this.#options;
    if (this.#isRenewing || this.#leases.size === 0) return;
    this.#isRenewing = true;
    const endsMs = elapsed() + leaseMs;
    const held = [...this.#leases].map(([id, { token }]) => ({ id, token }));
    try {
      const lost = new Set(await leases.renew(held, leaseMs));
      for (const { id, token } of held) {
        const lease = this.#leases.get(id);
        if (lease?.token !== token) continue;
        // A lease that ended before the answer came stays ended: writers under it were already refused.
        if (lost.has(id) || lease.endsMs <= elapsed()) this.#giveUp(id);
        else lease.endsMs = endsMs;
      }
    } catch (error) {
      this.#trouble.met(error);
    }
    this.#isRenewing = false;
  }

  /** Gives up the leases that would end before the next look. */
  #giveUpLate(): void {
    const { elapsed, leaseMs } = this.#options;
    const nextMs = elapsed() + leaseMs / LOOKS_A_LEASE;
    for (const [id, { endsMs }] of this.#leases) if (endsMs <= nextMs) this.#giveUp(id);
  }

  #giveUp(id: string): void {
    this.#leases.delete(id);
    this.#visits.abandon(id);
  }

  #sayIfLate(lateMs: number): void {
    const nowMs = this.#options.elapsed();
    if (lateMs < LATE_MS || nowMs - this.#saidLateMs < LATE_MS) return;
    this.#saidLateMs = nowMs;
    this.#visits.onLate(lateMs);
  }
}
