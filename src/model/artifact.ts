/** One file or response that a dialect publishes. */
export interface Artifact {
  /** Relative to the site's root, without a leading slash. */
  readonly path: string;
  readonly mediaType: string;
  readonly cacheControl: string;
  readonly bytes: Uint8Array;
}

/** What a host is to say with a file, or with all whose path fits a pattern with one `*`. Hosts take about a hundred of them. */
export interface HeaderRule extends Pick<Artifact, 'path'>, Partial<Pick<Artifact, 'mediaType' | 'cacheControl'>> {
  readonly cdnCacheControl?: string | undefined;
  /** Pages of any site may read it. */
  readonly isOpen?: boolean;
  /** Where hosts put what `*` stands for, it is called `:splat`. */
  readonly link?: string;
}
