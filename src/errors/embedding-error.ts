import { TidingsError } from './tidings-error.ts';

/** Vectors were unavailable or not what was asked for. Nothing of the page was written. */
export class EmbeddingError extends TidingsError {
  override readonly name = 'EmbeddingError';
  readonly recovery: 'retry-later' | 'fix-config';

  constructor(message: string, recovery: 'retry-later' | 'fix-config', cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.recovery = recovery;
  }
}
