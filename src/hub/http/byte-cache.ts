/** Bytes by name, up to a total size: the least recently used go first. */
export class ByteCache {
  readonly #maxBytes: number;
  /** In order of use, the newest last. */
  readonly #entries = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): Uint8Array | undefined {
    const bytes = this.#entries.get(name);
    if (bytes === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, bytes);
    return bytes;
  }

  /** Adds or replaces. Entries larger than the cache are not kept. */
  set(name: string, bytes: Uint8Array): void {
    this.delete(name);
    if (bytes.length > this.#maxBytes) return;
    this.#entries.set(name, bytes);
    this.#bytes += bytes.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#bytes -= this.#entries.get(name)?.length ?? 0;
    this.#entries.delete(name);
  }
}
