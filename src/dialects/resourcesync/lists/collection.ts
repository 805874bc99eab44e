export interface SiteCollection {
  /** The URL that identifies it. */
  readonly describes: string;
  /** Where its documents are, relative to the site: `resourcesync` for the whole of it, else a folder below that. */
  readonly folder: string;
  readonly title: string;
  readonly author: string;
  /** Where it is told what it is, if that is not written here. */
  readonly describedby?: string | undefined;
}
