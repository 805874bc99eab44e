/** One file or response that a dialect publishes. */
export interface Artifact {
  /** Relative to the site's root, without a leading slash. */
  readonly path: string;
  readonly mediaType: string;
  readonly cacheControl: string;
  readonly bytes: Uint8Array;
}

/** Response headers for a file, or for all files whose path matches a pattern with one `*`. Hosts accept about a hundred such rules. */
export interface HeaderRule extends Pick<Artifact, 'path'>, Partial<Pick<Artifact, 'mediaType' | 'cacheControl'>> {
  readonly cdnCacheControl?: string | undefined;
  /** Pages of any site may read it (CORS). */
  readonly isOpen?: boolean;
  /** The value of the `Link` header. `:splat` is the text that `*` matched. */
  readonly link?: string;
}
