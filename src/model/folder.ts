/** A place whose files we can read: a folder or a live site. */
export interface Place {
  /** The name of this place in messages. */
  readonly name: string;
  /** The bytes of a file, or undefined if the file certainly does not exist. Throws if that cannot be determined. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** A place on the local disk, where checking a file is nearly free. */
export interface NearPlace extends Place {
  /** The size of a file without reading it; undefined if it does not exist. */
  sizeOf(path: string): number | undefined;
}

/** A folder that we write to. A file is replaced as a whole: a reader sees either the old bytes or the new ones, even after a crash. */
export interface Folder extends NearPlace {
  /** Durable when it resolves. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Does nothing if the file does not exist. */
  remove(path: string): Promise<void>;
}

/** A file that could not be read as a page. It causes no change and no deletion. */
export interface FileFailure {
  readonly file: string;
  readonly message: string;
}

export interface SiteListing {
  /** Relative to the folder, `/` between names, in a fixed order. */
  readonly paths: readonly string[];
  /** What could not be listed. Unless this is empty, absence proves nothing. */
  readonly failures: readonly FileFailure[];
}

/** A folder of built HTML. Synchronous: for ten thousand small files promises cost more CPU than the reading. */
export interface BuiltSite {
  readonly name: string;
  list(): SiteListing;
  /** Two equal stamps show that the file was not written in between. Does not read the file. */
  stampOf(path: string): string;
  /** The bytes are valid until the next read. Throws if the file is missing or unreadable. */
  read(path: string): Uint8Array;
}
