import { CodedError } from '../errors/coded-error.ts';

/**
 * The steps of one dialect in a hub of several processes: one process makes a step, and all of them store it, in one order. So documents that are not
 * a function of the log alone have one history and the same bytes everywhere.
 *
 * Steps of a dialect form a chain: a step is discarded everywhere if it was not made after the last stored one.
 */
export interface StepRelay<Step> {
  /** Whether this process makes the steps now. It becomes true when all steps of the previous maker are stored here. */
  isMaker(): boolean;
  /**
   * Resolves when the step is stored here by the taker given to {@link StepRelay.onStep}. An exception ({@link TidingsError}) means that it may be
   * stored later, or never.
   */
  send(step: Step): Promise<void>;
  /** From then on the taker receives each step, no matter which process made it. */
  onStep(taker: StepTaker<Step>): void;
}

/** Stores and shows steps. Both calls are done when they return. */
export interface StepTaker<Step> {
  /** Runs within a transaction of the caller. If it throws, the step is not stored. */
  store(step: Step): void;
  /** Runs right after that transaction. */
  show(step: Step): void;
}

/** The relay of a dialect, by its name. */
export type StepRelays = <Step>(dialect: string) => StepRelay<Step>;

/** Other steps were stored in the meantime, unknown to the maker of this one. */
export function stepOvertakenError(): CodedError {
  return new CodedError('StepOvertakenError', 'retry-later', 'Another process has moved these documents on meanwhile.');
}
