/** What a process of a hub reports about itself. */
export interface ProcessFacts {
  /** The last `rev` that its replica has applied. */
  readonly rev: number;
  /** For people: what it does, which roles it has. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface SeenProcess extends ProcessFacts {
  readonly id: string;
  readonly kind: string;
  readonly startedAtMs: number;
  /** How long ago it last reported. */
  readonly silentMs: number;
  /** How many of the current writes its replica did not have then. */
  readonly behind: number;
}

/** Where the processes of a hub can be seen. Times are those of the database. */
export interface ProcessBoard {
  /** Replaces the last report of this process. */
  say(facts: ProcessFacts): Promise<void>;
  /** All processes that reported within the last hour and did not leave, oldest first. */
  all(): Promise<readonly SeenProcess[]>;
  leave(): Promise<void>;
}
