/** One request that went out. */
export interface JournalEntry {
  readonly atMs: number;
  /** Truncated, and without its query. */
  readonly path: string;
  /** Absent: no response, or none yet. */
  readonly status?: number;
  /** Of the body, as received over the wire. */
  readonly bytes: number;
}

export interface HostTotals {
  readonly requests: number;
  readonly bytes: number;
}

/** A request that is under way. */
export interface OpenEntry {
  answered(status: number): void;
  received(bytes: number): void;
}

export interface RequestJournalOptions {
  readonly now: () => number;
  /** The maximum number of entries per host; older ones are dropped. */
  readonly perHost?: number;
  /** The maximum number of entries of all hosts; those of the host asked longest ago are dropped first. */
  readonly most?: number;
}

const PER_HOST = 50;
const MOST = 10_000;
const MAX_PATH = 300;

interface HostPart {
  readonly entries: Writable<JournalEntry>[];
  requests: number;
  bytes: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The recent requests to each host, for the owners of the hosts. It is kept in memory and starts empty with the process. */
export class RequestJournal {
  readonly sinceMs: number;
  readonly #now: () => number;
  readonly #perHost: number;
  readonly #most: number;
  /** The host that was asked longest ago comes first. */
  readonly #hosts = new Map<string, HostPart>();
  #kept = 0;

  constructor({ now, perHost = PER_HOST, most = MOST }: RequestJournalOptions) {
    this.#now = now;
    this.#perHost = perHost;
    this.#most = most;
    this.sinceMs = now();
  }

  asked(url: URL): OpenEntry {
    const part = this.#partOf(url.host);
    const entry: Writable<JournalEntry> = { atMs: this.#now(), path: shownPath(url), bytes: 0 };
    part.entries.push(entry);
    part.requests += 1;
    this.#kept += 1;
    if (part.entries.length > this.#perHost) this.#forget(part);
    this.#makeRoom();
    return {
      answered: (status) => {
        entry.status = status;
      },
      received: (bytes) => {
        entry.bytes += bytes;
        part.bytes += bytes;
      },
    };
  }

  /** Newest first. `host`: with its port, if it has one. */
  of(host: string): readonly JournalEntry[] {
    return this.#hosts.get(host)?.entries.toReversed() ?? [];
  }

  /** Since the process started, or since the host was last dropped. */
  totalsOf(host: string): HostTotals {
    const { requests = 0, bytes = 0 } = this.#hosts.get(host) ?? {};
    return { requests, bytes };
  }

  /** Every host that is remembered. */
  hosts(): readonly string[] {
    return [...this.#hosts.keys()];
  }

  #partOf(host: string): HostPart {
    const part = this.#hosts.get(host) ?? { entries: [], requests: 0, bytes: 0 };
    this.#hosts.delete(host);
    this.#hosts.set(host, part);
    return part;
  }

  #makeRoom(): void {
    while (this.#kept > this.#most) {
      const [first] = this.#hosts;
      if (first === undefined) return;
      const [host, part] = first;
      this.#forget(part);
      if (part.entries.length === 0) this.#hosts.delete(host);
    }
  }

  #forget(part: HostPart): void {
    part.entries.shift();
    this.#kept -= 1;
  }
}

/** A query may contain a key of the operator. */
function shownPath({ pathname, search }: URL): string {
  const path = pathname.length > MAX_PATH ? `${pathname.slice(0, MAX_PATH)}…` : pathname;
  return search === '' ? path : `${path}?…`;
}
