import type { ClaimedSource, ClaimWish, HeldSource, SourceLeases } from '../../src/hub/cluster/source-leases.ts';

export interface LeaseRow {
  readonly host: string;
  dueAtMs: number;
  rev: number;
  holder?: string | undefined;
  token: number;
  untilMs: number;
}

/** The leases of a hub in memory, by the contract of {@link SourceLeases}. */
export class MemoryLeases implements SourceLeases {
  readonly rows = new Map<string, LeaseRow>();
  readonly now: () => number;
  claims = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  add(id: string, row: Partial<LeaseRow> = {}): void {
    this.rows.set(id, { host: id, dueAtMs: this.now(), rev: 0, token: 0, untilMs: 0, ...row });
  }

  async claim({ holder, most, leaseMs, rev }: ClaimWish): Promise<readonly ClaimedSource[]> {
    this.claims += 1;
    const nowMs = this.now();
    const claimed: ClaimedSource[] = [];
    const inOrder = [...this.rows].sort(
      ([, left], [, right]) => Number(left.rev > rev) - Number(right.rev > rev) || left.dueAtMs - right.dueAtMs,
    );
    for (const [id, row] of inOrder) {
      const isHostBusy = [...this.rows.values()].some(({ host, untilMs }) => host === row.host && untilMs > nowMs);
      if (row.dueAtMs > nowMs || isHostBusy || claimed.length === most) continue;
      const hasNext = inOrder.some(
        ([other, { host, dueAtMs }]) => other !== id && host === row.host && dueAtMs <= nowMs,
      );
      Object.assign(row, { holder, token: row.token + 1, untilMs: nowMs + leaseMs });
      claimed.push({ id, token: row.token, rev: row.rev, lateMs: nowMs - row.dueAtMs, hasNext });
    }
    return claimed;
  }

  async renew(held: readonly HeldSource[], leaseMs: number): Promise<readonly string[]> {
    const kept = held.filter((one) => this.holds(one));
    for (const { id } of kept) Object.assign(this.rows.get(id) ?? {}, { untilMs: this.now() + leaseMs });
    return held.filter((one) => !kept.includes(one)).map(({ id }) => id);
  }

  async release(held: HeldSource, afterMs = 0): Promise<void> {
    if (this.holds(held)) this.end(held.id, this.now() + afterMs);
  }

  async hasten(id: string, afterMs: number): Promise<void> {
    const row = this.rows.get(id);
    if (row !== undefined) row.dueAtMs = Math.min(row.dueAtMs, this.now() + afterMs);
  }

  holds({ id, token }: HeldSource): boolean {
    const row = this.rows.get(id);
    return row?.token === token && row.holder !== undefined;
  }

  /** Ends the visit. */
  end(id: string, dueAtMs: number): void {
    Object.assign(this.rows.get(id) ?? {}, { holder: undefined, untilMs: 0, dueAtMs });
  }
}
