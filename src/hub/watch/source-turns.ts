/** Of an id, one thing at a time is done. */
export class SourceTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** The next one of these ids waits also for what is to be done `behind` it. */
  take<T>(ids: readonly string[], work: () => Promise<T>, behind: () => Promise<void> = async () => {}): Promise<T> {
    const turn = Promise.all(ids.map((id) => this.#last.get(id))).then(work);
    const over = turn
      .then(behind, () => {})
      .then(() => {
        for (const id of ids) if (this.#last.get(id) === over) this.#last.delete(id);
      });
    for (const id of ids) this.#last.set(id, over);
    return turn;
  }
}
