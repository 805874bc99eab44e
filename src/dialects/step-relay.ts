import { CodedError } from '../errors/coded-error.ts';

/**
 * The steps of one dialect in a hub of several processes: one of them makes a step, all of them store it, in one order. So documents that are no
 * function of the log alone have one history and the same bytes everywhere.
 *
 * Steps of a dialect follow on each other: one that was made behind another than the last that is stored is stored nowhere.
 */
export interface StepRelay<Step> {
  /** Whether steps are made in this process now. It becomes so when all steps of whoever made them before are stored here. */
  isMaker(): boolean;
  /**
   * Resolves when the step is stored here, by what {@link StepRelay.onStep} was given. What it throws ({@link TidingsError}) means that it may be stored
   * later, or nowhere.
   */
  send(step: Step): Promise<void>;
  /** From then on each step goes to the taker, whoever made it. */
  onStep(taker: StepTaker<Step>): void;
}

/** Who stores and shows steps. Both are done when they return. */
export interface StepTaker<Step> {
  /** Within a transaction of the caller. What it throws means: not stored. */
  store(step: Step): void;
  /** Right behind that transaction. */
  show(step: Step): void;
}

/** The relay of a dialect, by its name. */
export type StepRelays = <Step>(dialect: string) => StepRelay<Step>;

/** Other steps were stored meanwhile, which the maker of this one did not know of. */
export function stepOvertakenError(): CodedError {
  return new CodedError('StepOvertakenError', 'retry-later', 'Another process has moved these documents on meanwhile.');
}
