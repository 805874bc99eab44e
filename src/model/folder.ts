/** A place whose files we can read: a folder, or a site that is live. */
export interface Place {
  /** How messages call it. */
  readonly name: string;
  /** The bytes of a file, or undefined when it is certain that there is none. Throws when it cannot be told. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** A place on this disk, where a look at a file costs next to nothing. */
export interface NearPlace extends Place {
  /** The size of a file without reading it; undefined when there is none. */
  sizeOf(path: string): number | undefined;
}

/** A folder of ours. A file is replaced as a whole: a reader sees the old bytes or the new ones, also after a crash. */
export interface Folder extends NearPlace {
  /** Durable when it resolves. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Nothing happens where there is none. */
  remove(path: string): Promise<void>;
}

/** A file that could not be taken for a page. It changes nothing and deletes nothing. */
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
  /** Two that are the same show that the file was not written between them. Does not read it. */
  stampOf(path: string): string;
  /** The bytes are yours until the next read. Throws when the file is gone or unreadable. */
  read(path: string): Uint8Array;
}
