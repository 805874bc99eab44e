/**
 * A part of a site that people may follow by itself, as its author writes it down:
 *
 *     { "path": "/my-shrine/", "title": "My shrine", "author": "Ann" }
 */
export interface CollectionSetting {
  /** Of its pages, from the root of the host, or from the site where it does not begin with a slash. */
  readonly path: string;
  readonly title?: string;
  readonly author?: string;
  /** The URL of a page or file about it, in place of one that is written. */
  readonly describedby?: string;
}

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
