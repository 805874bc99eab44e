import { TidingsError } from './tidings-error.ts';

const REASONS = {
  fenced: 'another process of this hub has taken the task over',
  overtaken: 'another process of this hub has written the same source first',
};

/** A write of a hub with several processes was not made because of what another process did. */
export class WriteRefusedError extends TidingsError {
  override readonly name = 'WriteRefusedError';
  readonly recovery = 'retry-later';
  readonly refused: keyof typeof REASONS;

  constructor(refused: keyof typeof REASONS) {
    super(`Nothing was written: ${REASONS[refused]}. Try again.`);
    this.refused = refused;
  }
}
