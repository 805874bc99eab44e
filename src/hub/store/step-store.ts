/**
 * A store that is written in steps. Whoever keeps in memory what it holds hears of each step, by whichever process of the hub it was written, and so
 * knows the same everywhere.
 */
export interface StepStore<Step> {
  /**
   * One transaction, durable when it resolves. What it throws (LogFullError, LogUnavailableError) means that it was not kept; in a hub of several
   * processes, that it is not known whether it was: who listens finds out.
   */
  write(step: Step): Promise<void>;
  /** Called with each step that is kept: right behind its transaction, in their order, before its `write` resolves. */
  onWritten(listener: StepListener<Step>): void;
}

/** `isOwn`: written by this process. */
export type StepListener<Step> = (step: Step, isOwn: boolean) => void;

/** Makes the steps of a store, by its name. `apply` writes one within a transaction of the caller. */
export type StepsMaker = <Step>(name: string, apply: (step: Step) => void) => StepStore<Step>;
