/** What a process of a hub says of itself. */
export interface ProcessFacts {
  /** How far its replica is. */
  readonly rev: number;
  /** For people: what it does, which roles it has. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface SeenProcess extends ProcessFacts {
  readonly id: string;
  readonly kind: string;
  readonly startedAtMs: number;
  /** How long ago it last said something. */
  readonly silentMs: number;
  /** How many writes its replica lacked then, of those that are there now. */
  readonly behind: number;
}

/** Where the processes of a hub can be seen. Moments are those of the database. */
export interface ProcessBoard {
  /** Of this process. What was said before is replaced. */
  say(facts: ProcessFacts): Promise<void>;
  /** Of all that said something within the last hour and did not leave, the oldest first. */
  all(): Promise<readonly SeenProcess[]>;
  leave(): Promise<void>;
}
