/**
 * Where the files of a provable log are read from: a live site, a published folder, the tables of a hub.
 *
 * Nothing from it is trusted before it was hashed up to the root of a verified checkpoint.
 */
export interface TileSource {
  /** Its name in messages. */
  readonly name: string;
  /**
   * The bytes of a file by its path below the prefix: `checkpoint`, `tile/0/000.p/7`. Undefined if the file certainly does not exist. Throws if that
   * cannot be determined, and for a file larger than `maxBytes`, which is not read.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
}
