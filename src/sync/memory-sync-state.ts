import type { PageMark, StateEdits, SyncPlace, SyncState } from './sync-state.ts';

/** Lost when the process ends. For a sync without a folder, and for a plan, which stores nothing. */
export class MemorySyncState implements SyncState {
  #place: SyncPlace;
  readonly #marks: Map<string, PageMark>;

  constructor({ place = {}, marks = [] }: { readonly place?: SyncPlace; readonly marks?: readonly PageMark[] } = {}) {
    this.#place = place;
    this.#marks = new Map(marks.map((mark) => [mark.url, mark]));
  }

  async load() {
    return { place: this.#place, marks: [...this.#marks.values()] };
  }

  async write({ place, put = [], drop = [] }: StateEdits): Promise<void> {
    if (place !== undefined) this.#place = place;
    for (const mark of put) this.#marks.set(mark.url, mark);
    for (const url of drop) this.#marks.delete(url);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
