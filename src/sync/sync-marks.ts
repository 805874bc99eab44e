import type { PageMark, StateEdits, SyncPlace, SyncState } from './sync-state.ts';

/** The marks of all pages, in memory; changes are stored first. */
export class SyncMarks {
  readonly #state: SyncState;
  readonly #marks: Map<string, PageMark>;
  #place: SyncPlace;

  static async open(state: SyncState): Promise<SyncMarks> {
    const { place, marks } = await state.load();
    return new SyncMarks(state, place, marks);
  }

  private constructor(state: SyncState, place: SyncPlace, marks: readonly PageMark[]) {
    this.#state = state;
    this.#place = place;
    this.#marks = new Map(marks.map((mark) => [mark.url, mark]));
  }

  get place(): SyncPlace {
    return this.#place;
  }

  get(url: string): PageMark | undefined {
    return this.#marks.get(url);
  }

  all(is?: PageMark['is']): readonly PageMark[] {
    const marks = [...this.#marks.values()];
    return is === undefined ? marks : marks.filter((mark) => mark.is === is);
  }

  async write(edits: StateEdits): Promise<void> {
    await this.#state.write(edits);
    this.#place = edits.place ?? this.#place;
    for (const mark of edits.put ?? []) this.#marks.set(mark.url, mark);
    for (const url of edits.drop ?? []) this.#marks.delete(url);
  }
}
