import type { SignMessage } from '../codecs/tlog/crypto-functions.ts';
import type { CollectionSetting } from '../model/collection.ts';
import type { Extensions } from '../model/extensions.ts';

/** The publisher's settings for the written files. Each dialect uses those that its format can express, and checks them. */
export interface ProjectionSettings {
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** The name and the author of the site, for people. */
  readonly title?: string;
  readonly author?: string;
  /** Whether written files may contain texts of pages. Default: true. */
  readonly excerpts?: boolean;
  /** The enabled extensions of AICF §11. */
  readonly extensions?: Extensions;
  /** An append-only feed starts a new file if a line would make it larger than this. Default: 512 KiB. */
  readonly rotateBytes?: number;
  /** Parts of the site that people may follow separately. Without them, the whole site is one. */
  readonly collections?: readonly CollectionSetting[];
  /** The limits of each ResourceSync document; at most 50,000 entries and 50 MB. */
  readonly listEntries?: number;
  readonly listBytes?: number;
  /** Write a sitemap with truthful times, in addition to the site's own. */
  readonly sitemap?: boolean;
  /** Write packages of all pages and of the changes, as ResourceSync dumps. Only for a built site. */
  readonly dumps?: boolean;
  /** The maximum unpacked size of a package. */
  readonly dumpBytes?: number;
  /** The maximum number of pages and bytes of changes in a DiffDelta feed; a larger publish is split into several. Default: 500 and 512 KiB. */
  readonly runItems?: number;
  readonly runBytes?: number;
  /** The number of entries in `changes.atom` before older ones move to an archive. */
  readonly atomEntries?: number;
  /** The bytes of links in an `llms.txt` before folders get separate lists. Default: 512 KiB. */
  readonly llmsBytes?: number;
  /** Whether to write a page of changes for people. Default: true. */
  readonly changesPage?: boolean;
  /** The result is only looked at and discarded: nothing is signed, and what must be signed is omitted. */
  readonly isPreview?: boolean;
  /** The WebSub hub that pushes `changes.atom` and the AICF feed. */
  readonly websub?: string;
  /** Signs the provable log of the site. Without it, no provable log is started or continued. */
  readonly logSigner?: LogSigner;
}

/** The key of a provable log, for code that may sign with it but need not know it. */
export interface LogSigner {
  /** The raw 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly sign: SignMessage;
}
