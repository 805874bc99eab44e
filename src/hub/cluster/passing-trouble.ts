export interface PassingTroubleOptions {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Called once until it is over. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  readonly onRecovered?: (() => void) | undefined;
}

/** Something does not work now and is tried again: each pause is twice the one before, and whoever wants to know is told once. */
export class PassingTrouble {
  readonly #options: PassingTroubleOptions;
  #met: { readonly error: unknown; readonly pauseMs: number } | undefined;

  constructor(options: PassingTroubleOptions) {
    this.#options = options;
  }

  /** What went wrong last; undefined while all is well. */
  get error(): unknown {
    return this.#met?.error;
  }

  /** To be waited before the next try; 0 while all is well. */
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
