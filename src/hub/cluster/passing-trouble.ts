export interface PassingTroubleOptions {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Called once until the trouble is over. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  readonly onRecovered?: (() => void) | undefined;
}

/** Something fails now and is retried: each pause is twice as long as the one before, and the trouble is reported once. */
export class PassingTrouble {
  readonly #options: PassingTroubleOptions;
  #met: { readonly error: unknown; readonly pauseMs: number } | undefined;

  constructor(options: PassingTroubleOptions) {
    this.#options = options;
  }

  /** The last error; undefined while there is no trouble. */
  get error(): unknown {
    return this.#met?.error;
  }

  /** The pause before the next try; 0 while there is no trouble. */
  get pauseMs(): number {
    return this.#met?.pauseMs ?? 0;
  }

  met(error: unknown): void {
    const { firstPauseMs, longestPauseMs, onTrouble } = this.#options;
    const isFirst = this.#met === undefined;
    this.#met = { error, pauseMs: isFirst ? firstPauseMs : Math.min(this.pauseMs * 2, longestPauseMs) };
    if (isFirst) onTrouble?.(error);
  }

  over(): void {
    if (this.#met === undefined) return;
    this.#met = undefined;
    this.#options.onRecovered?.();
  }
}
