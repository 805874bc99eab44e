import { TidingsError } from './tidings-error.ts';

/** Continuing could erase what followers hold, so a person has to confirm first. Nothing was written. */
export class SafetyStopError extends TidingsError {
  override readonly name = 'SafetyStopError';
  readonly recovery = 'stop';
  /** Pages that would vanish. */
  readonly vanishing: readonly string[];

  constructor(message: string, vanishing: readonly string[]) {
    super(message);
    this.vanishing = vanishing;
  }
}
