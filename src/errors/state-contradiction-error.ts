import { TidingsError } from './tidings-error.ts';

/** Two places that should tell the same history tell different ones. Nothing was written. */
export class StateContradictionError extends TidingsError {
  override readonly name = 'StateContradictionError';
  readonly recovery = 'fix-input';
  readonly places: readonly string[];

  constructor(places: readonly string[], why: string, remedy: string) {
    super(`${places.join(' and ')} contradict each other: ${why} Nothing was written. ${remedy}`);
    this.places = places;
  }
}
