/**
 * A store that is written in steps. Code that keeps its content in memory hears of each step, whichever process of the hub wrote it, and so has the same
 * content everywhere.
 */
export interface StepStore<Step> {
  /**
   * One transaction, durable when it resolves. If it throws (LogFullError, LogUnavailableError), the step was not stored. In a hub of several processes this
   * is then unknown: listeners find out.
   */
  write(step: Step): Promise<void>;
  /** Called with each stored step right after its transaction, in order, before its `write` resolves. */
  onWritten(listener: StepListener<Step>): void;
}

/** `isOwn`: written by this process. */
export type StepListener<Step> = (step: Step, isOwn: boolean) => void;

/** Makes a step store with this name. `apply` writes one step within a transaction of the caller. */
export type StepsMaker = <Step>(name: string, apply: (step: Step) => void) => StepStore<Step>;
