/** One file or response that a dialect publishes. */
export interface Artifact {
  /** Relative to the site's root, without a leading slash. */
  readonly path: string;
  readonly mediaType: string;
  readonly cacheControl: string;
  readonly bytes: Uint8Array;
}
