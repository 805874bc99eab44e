import type { StepListener, StepStore } from '../../hub/store/step-store.ts';
import type { LogDatabase, SqliteLog } from './log.ts';

/** The steps of a store beside the log: shared by the hub's processes if there are several, else each one a transaction of the log. */
export function openSteps<Step>(opened: LogDatabase, name: string, apply: (step: Step) => void): StepStore<Step> {
  return opened.steps?.(name, apply) ?? new LocalSteps(opened.log, apply);
}

class LocalSteps<Step> implements StepStore<Step> {
  readonly #log: SqliteLog;
  readonly #apply: (step: Step) => void;
  readonly #listeners: StepListener<Step>[] = [];

  constructor(log: SqliteLog, apply: (step: Step) => void) {
    this.#log = log;
    this.#apply = apply;
  }

  async write(step: Step): Promise<void> {
    this.#log.appendWith([], () => this.#apply(step));
    for (const listener of this.#listeners) listener(step, true);
  }

  onWritten(listener: StepListener<Step>): void {
    this.#listeners.push(listener);
  }
}
