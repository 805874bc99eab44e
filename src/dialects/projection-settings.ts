import type { SignMessage } from '../codecs/tlog/crypto-functions.ts';
import type { CollectionSetting } from '../model/collection.ts';
import type { Extensions } from '../model/extensions.ts';

/** What a publisher may say about what is written. Each dialect takes from it what its format can say, and checks that. */
export interface ProjectionSettings {
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** What the site is called and who writes it, for people. */
  readonly title?: string;
  readonly author?: string;
  /** Whether texts of pages may stand in what is written: true unless it is said otherwise. */
  readonly excerpts?: boolean;
  /** Those of AICF §11 that are on. */
  readonly extensions?: Extensions;
  /** Start a new file of a feed that only grows when a line would make it larger than this; 512 KiB unless said otherwise. */
  readonly rotateBytes?: number;
  /** Parts of the site that people may follow by themselves. Without them the site is one. */
  readonly collections?: readonly CollectionSetting[];
  /** Of each ResourceSync document: so many entries and bytes, at most 50,000 and 50 MB. */
  readonly listEntries?: number;
  readonly listBytes?: number;
  /** A sitemap with truthful times, beside the site's own. */
  readonly sitemap?: boolean;
  /** Packages of all pages and of what changed, as ResourceSync's dumps. Only of a built site. */
  readonly dumps?: boolean;
  /** So much a package unpacks to. */
  readonly dumpBytes?: number;
  /** So many pages, and so many bytes of changes, a DiffDelta feed tells of: a larger publish is several of them. 500 and 512 KiB unless said otherwise. */
  readonly runItems?: number;
  readonly runBytes?: number;
  /** So many entries `changes.atom` holds before older ones move to an archive. */
  readonly atomEntries?: number;
  /** So many bytes of links an `llms.txt` has before folders get lists of their own; 512 KiB unless said otherwise. */
  readonly llmsBytes?: number;
  /** Whether there is a page of changes for people: true unless it is said otherwise. */
  readonly changesPage?: boolean;
  /** What is written is looked at and thrown away: nothing is signed for it, and what must be signed is left out. */
  readonly isPreview?: boolean;
  /** The hub of WebSub that pushes `changes.atom` and the feed of AICF. */
  readonly websub?: string;
  /** Who signs the provable log of the site. Without it none is begun, and none goes on. */
  readonly logSigner?: LogSigner;
}

/** The key of a provable log, as those see it who may sign with it and need not know it. */
export interface LogSigner {
  /** The raw 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly sign: SignMessage;
}
