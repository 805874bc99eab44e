/** Runs one task at a time per id. */
export class SourceTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** The next task of these ids also waits for `behind`, which runs after this one. */
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
