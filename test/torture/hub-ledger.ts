import type { Action, Change } from '../../src/model/change.ts';

/** Something that really changed, as one source must tell it. */
export interface RealChange {
  readonly source: string;
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  readonly checksum?: string;
  /** The boundary is edited again without waiting: what stands between two looks at it may be told as one. */
  readonly mayMerge?: boolean;
}

export interface LedgerWrong {
  /** Told, and it never was. */
  invented: number;
  doubled: number;
  lost: number;
}

interface Waiting {
  readonly change: RealChange;
  readonly key: string;
  readonly sinceMs: number;
}

const MAX_COMPLAINTS = 20;

/** What really changed, beside what the log tells of it: each change once, and nothing else. */
export class Ledger {
  readonly wrong: LedgerWrong = { invented: 0, doubled: 0, lost: 0 };
  readonly complaints: string[] = [];
  /** From the edit to the moment at which a reader had it. */
  readonly delaysMs: number[] = [];
  /** What a reader had to wait for longest. */
  slowest = '';
  real = 0;
  told = 0;
  merged = 0;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #perUrl = new Map<string, number>();
  readonly #ever = new Set<string>();
  #open = 0;
  #longestMs = 0;

  expect(change: RealChange): void {
    const key = keyOf(change);
    const boundary = boundaryOf(change);
    this.#waiting.set(boundary, [...(this.#waiting.get(boundary) ?? []), { change, key, sinceMs: performance.now() }]);
    this.#ever.add(key);
    this.#count(change.url, 1);
    this.real += 1;
  }

  /** How many changes of this page are not told yet, over all sources. */
  openOf(url: string): number {
    return this.#perUrl.get(url) ?? 0;
  }

  get open(): number {
    return this.#open;
  }

  /** Takes the changes of the log, in its order. */
  see(told: Pick<Change, 'source' | 'action' | 'url' | 'anchor' | 'checksum'>): void {
    const boundary = boundaryOf(told);
    const key = keyOf(told);
    const waiting = this.#waiting.get(boundary) ?? [];
    const place = waiting.findIndex((each) => each.key === key);
    const found = waiting[place];
    this.told += 1;
    if (found === undefined) {
      const what = this.#ever.has(key) ? 'doubled' : 'invented';
      this.wrong[what] += 1;
      this.complain(`${what}: ${key}; waiting there: ${waiting.map((each) => each.key).join(', ') || 'nothing'}`);
      return;
    }
    const delayMs = performance.now() - found.sinceMs;
    if (delayMs > this.#longestMs) {
      this.#longestMs = delayMs;
      this.slowest = key;
    }
    this.delaysMs.push(delayMs);
    const passed = found.change.mayMerge ? waiting.slice(0, place) : [];
    this.merged += passed.length;
    this.#waiting.set(
      boundary,
      waiting.filter((each) => each !== found && !passed.includes(each)),
    );
    this.#count(told.url, -1 - passed.length);
  }

  /** Nothing more will be told: what still waits is lost. */
  close(): void {
    for (const { key, sinceMs } of [...this.#waiting.values()].flat()) {
      this.wrong.lost += 1;
      this.complain(`lost: ${key}, ${Math.round(performance.now() - sinceMs)} ms ago`);
    }
  }

  complain(line: string): void {
    if (this.complaints.length < MAX_COMPLAINTS) this.complaints.push(line);
  }

  #count(url: string, more: number): void {
    this.#perUrl.set(url, this.openOf(url) + more);
    this.#open += more;
  }
}

function boundaryOf({ source, url, anchor }: Pick<RealChange, 'source' | 'url' | 'anchor'>): string {
  return `${source} ${url}#${anchor ?? ''}`;
}

/** A checksum tells one edition of a boundary from all others. A delete has none: deletes of a page are told apart by their order. */
function keyOf(change: RealChange): string {
  return `${boundaryOf(change)} ${change.action} ${change.action === 'delete' ? '' : change.checksum}`;
}
