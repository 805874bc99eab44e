/**
 * Where the files of a provable log are read from: a live site, a published folder, the tables of a hub.
 *
 * Nothing that it gives is believed before it was hashed up to the root of a verified checkpoint.
 */
export interface TileSource {
  /** How messages call it. */
  readonly name: string;
  /**
   * The bytes of a file by its path below the prefix: `checkpoint`, `tile/0/000.p/7`. Undefined where it is certain that there is none. Throws
   * when it cannot be told, and for more than `maxBytes`, which are not read.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
}
