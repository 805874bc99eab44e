export interface SiteCollection {
  /** The URL that identifies it. */
  readonly describes: string;
  /** The folder of its documents, relative to the site: `resourcesync` for the whole site, else a folder below that. */
  readonly folder: string;
  readonly title: string;
  readonly author: string;
  /** The address of its description, if that is not written here. */
  readonly describedby?: string | undefined;
}
