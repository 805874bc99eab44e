import type { ListKeyOptions, RecordManagerInterface, UpdateOptions } from '@langchain/core/indexing';

/** LangChain's record of what was indexed when, in memory, with a clock that never returns the same time twice. */
export class MemoryRecordManager implements RecordManagerInterface {
  readonly #records = new Map<string, { readonly group: string | null; readonly at: number }>();
  #time = 0;

  async createSchema(): Promise<void> {}

  async getTime(): Promise<number> {
    this.#time += 1;
    return this.#time;
  }

  async update(keys: string[], { groupIds }: UpdateOptions): Promise<void> {
    const at = await this.getTime();
    for (const [index, key] of keys.entries()) {
      this.#records.set(key, { group: groupIds?.[index] ?? this.#records.get(key)?.group ?? null, at });
    }
  }

  async exists(keys: string[]): Promise<boolean[]> {
    return keys.map((key) => this.#records.has(key));
  }

  async listKeys({ before, after, groupIds, limit }: ListKeyOptions): Promise<string[]> {
    const found = [...this.#records].filter(
      ([, { group, at }]) =>
        (before === undefined || at < before) &&
        (after === undefined || at > after) &&
        (groupIds === undefined || groupIds.includes(group)),
    );
    return found.map(([key]) => key).slice(0, limit);
  }

  async deleteKeys(keys: string[]): Promise<void> {
    for (const key of keys) this.#records.delete(key);
  }
}
