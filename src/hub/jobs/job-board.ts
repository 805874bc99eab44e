/** The description of long work. */
export interface JobWords {
  /** For people: `First reading`. */
  readonly what: string;
  /** The id of the source that it is about. */
  readonly source?: string;
  /** What is counted: `pages`. */
  readonly unit: string;
  /** The total, if it is known before the start. */
  readonly total?: number;
  /** How many are done, for work that does not report: called when somebody looks. */
  readonly doneNow?: () => number;
}

/** Work that nobody waits for. */
export type FollowedWork = JobWords & Required<Pick<JobWords, 'total' | 'doneNow'>>;

/** Work that runs, or has ended of late. Moments are epoch milliseconds. */
export interface Job extends Omit<JobWords, 'doneNow'> {
  readonly id: string;
  /** How many units are done. */
  readonly done: number;
  readonly startedMs: number;
  readonly endedMs?: number;
  readonly outcome?: 'done' | 'failed';
}

/** Told by the work itself, as often as it likes. */
export type TellProgress = (done: number, total?: number) => void;

export interface JobBoardParts {
  now(): number;
  /** Hears of every step of every job. */
  readonly onStep?: (job: Job) => void;
}

/** Shorter work is not shown. */
const SHOWN_AFTER_MS = 2000;
const MOST_ENDED = 20;
const ENDED_KEPT_MS = 10 * 60_000;

/**
 * Long work that runs now, for people who wonder why nothing seems to happen. Kept in memory only.
 *
 * Reporting costs a few assignments, so that work may report every page.
 */
export class JobBoard {
  readonly #parts: JobBoardParts;
  readonly #running = new Map<string, Running>();
  readonly #ended: Job[] = [];
  #last = 0;

  constructor(parts: JobBoardParts) {
    this.#parts = parts;
  }

  /** Runs the work. It is on the board from start to end, however it ends. */
  async run<T>(words: JobWords, work: (progress: TellProgress) => Promise<T>): Promise<T> {
    const job = this.#begin(words);
    try {
      const result = await work((done, total) => {
        job.done = done;
        if (total !== undefined) job.total = total;
        this.#parts.onStep?.(job);
      });
      this.#end(job, 'done');
      return result;
    } catch (error) {
      this.#end(job, 'failed');
      throw error;
    }
  }

  /** Work that others do piece by piece: it is on the board until a look finds all of it done. */
  follow(words: FollowedWork): void {
    this.#begin({ ...words, endsWithTotal: true });
  }

  /** Work that has run for a while, oldest first. */
  running(): readonly Job[] {
    this.#endWhatIsDone();
    const sinceMs = this.#parts.now() - SHOWN_AFTER_MS;
    return [...this.#running.values()]
      .filter(({ startedMs }) => startedMs <= sinceMs)
      .map(({ doneNow, endsWithTotal: _, ...job }) => ({ ...job, done: doneNow?.() ?? job.done }));
  }

  /** Long work that ended recently, newest first. */
  ended(): readonly Job[] {
    this.#endWhatIsDone();
    const sinceMs = this.#parts.now() - ENDED_KEPT_MS;
    return this.#ended.filter(({ endedMs = 0 }) => endedMs >= sinceMs);
  }

  #begin(words: JobWords & Pick<Running, 'endsWithTotal'>): Running {
    this.#last += 1;
    const job: Running = { ...words, id: String(this.#last), done: 0, startedMs: this.#parts.now() };
    this.#running.set(job.id, job);
    this.#parts.onStep?.(job);
    return job;
  }

  #endWhatIsDone(): void {
    for (const job of this.#running.values()) {
      if (job.endsWithTotal && (job.doneNow?.() ?? 0) >= (job.total ?? 0)) this.#end(job, 'done');
    }
  }

  #end({ doneNow, endsWithTotal: _, ...job }: Running, outcome: 'done' | 'failed'): void {
    this.#running.delete(job.id);
    const ended = { ...job, done: doneNow?.() ?? job.done, outcome, endedMs: this.#parts.now() };
    this.#parts.onStep?.(ended);
    if (ended.endedMs - ended.startedMs < SHOWN_AFTER_MS) return;
    this.#ended.unshift(ended);
    this.#ended.length = Math.min(this.#ended.length, MOST_ENDED);
  }
}

type Running = { -readonly [Key in keyof Job]: Job[Key] } & Pick<JobWords, 'doneNow'> & {
    readonly endsWithTotal?: true;
  };
