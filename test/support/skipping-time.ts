/** The clock of the machine, which can be set forward: alarms that become due ring at once. */
export class SkippingTime {
  #aheadMs = 0;
  readonly #alarms = new Set<{ readonly atMs: number; ring(): void }>();

  readonly now = (): number => Date.now() + this.#aheadMs;

  readonly alarm = (ms: number, callback: () => void): (() => void) => {
    const ring = () => {
      cancel();
      callback();
    };
    const timer = setTimeout(ring, Math.min(Math.max(ms, 0), 2 ** 31 - 1));
    timer.unref();
    const entry = { atMs: this.now() + ms, ring };
    const cancel = () => {
      clearTimeout(timer);
      this.#alarms.delete(entry);
    };
    this.#alarms.add(entry);
    return cancel;
  };

  skip(ms: number): void {
    this.#aheadMs += ms;
    for (const { atMs, ring } of [...this.#alarms].sort((left, right) => left.atMs - right.atMs)) {
      if (atMs <= this.now()) ring();
    }
  }
}
