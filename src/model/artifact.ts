/** One file or response that a dialect publishes. */
export interface Artifact {
  /** Relative to the site's root, without a leading slash. */
  readonly path: string;
  readonly mediaType: string;
  readonly cacheControl: string;
  readonly bytes: Uint8Array;
}

/** What a host is to say with a file, or with all below a path that ends in `*`. */
export interface HeaderRule extends Omit<Artifact, 'bytes'> {
  readonly cdnCacheControl?: string;
}
