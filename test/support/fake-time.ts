import { setImmediate as nextTurn } from 'node:timers/promises';

interface Ringing {
  readonly atMs: number;
  readonly callback: () => void;
}

/** A wall clock and alarms that move only when told. Alarms count elapsed time, whatever happens to the wall clock. */
export class FakeTime {
  #wallMs: number;
  readonly #turns: number;
  #elapsedMs = 0;
  readonly #alarms = new Set<Ringing>();
  /** How often an alarm was set. */
  alarmsSet = 0;

  /** `turns`: how many turns of the event loop a callee gets before time continues. */
  constructor(wallMs: number, turns = 1) {
    this.#wallMs = wallMs;
    this.#turns = turns;
  }

  readonly now = (): number => this.#wallMs;

  readonly alarm = (ms: number, callback: () => void): (() => void) => {
    this.alarmsSet += 1;
    const ringing = { atMs: this.#elapsedMs + ms, callback };
    this.#alarms.add(ringing);
    return () => this.#alarms.delete(ringing);
  };

  get alarmsPending(): number {
    return this.#alarms.size;
  }

  /** Sets the wall clock without passing time. */
  step(ms: number): void {
    this.#wallMs += ms;
  }

  /** Passes time, with everything that happens meanwhile. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#elapsedMs + ms;
    await this.#letWork();
    for (let next = this.#earliest(untilMs); next !== undefined; next = this.#earliest(untilMs)) {
      this.#alarms.delete(next);
      this.#move(Math.max(next.atMs, this.#elapsedMs));
      next.callback();
      await this.#letWork();
    }
    this.#move(untilMs);
  }

  async #letWork(): Promise<void> {
    for (let turn = 0; turn < this.#turns; turn += 1) await nextTurn();
  }

  #earliest(untilMs: number): Ringing | undefined {
    const due = [...this.#alarms].filter(({ atMs }) => atMs <= untilMs);
    return due.sort((left, right) => left.atMs - right.atMs)[0];
  }

  #move(elapsedMs: number): void {
    this.#wallMs += elapsedMs - this.#elapsedMs;
    this.#elapsedMs = elapsedMs;
  }
}
