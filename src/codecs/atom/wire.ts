/**
 * Atom: a feed that people follow.
 *
 *     <?xml version="1.0" encoding="UTF-8"?>
 *     <feed xmlns="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0">
 *       <id>urn:uuid:0b5c62a5-3a0e-8c5f-9d0e-6b1c6a0f7a55</id>
 *       <title>Changes of docs.example</title>
 *       <updated>2026-03-01T12:00:00Z</updated>
 *       <author><name>docs.example</name></author>
 *       <link rel="self" type="application/atom+xml" href="https://docs.example/changes.atom"/>
 *       <entry>
 *         <id>urn:uuid:7d1d1c35-1f0a-8a55-8a0c-5a8e1b1f2c11</id>
 *         <title>3 pages changed</title>
 *         <updated>2026-03-01T12:00:00Z</updated>
 *         <content type="html">&lt;p&gt;…&lt;/p&gt;</content>
 *       </entry>
 *     </feed>
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc4287; archives: https://www.rfc-editor.org/rfc/rfc5005; the link to a hub:
 * https://www.w3.org/TR/websub/#discovery
 */

import type { HtmlBlock } from './html.ts';

export const HISTORY_NAMESPACE = 'http://purl.org/syndication/history/1.0';

/** The part of a feed before its entries. URLs are http or https; ids are never shown to people and never change. */
export interface AtomHead {
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string;
  readonly updatedMs: number;
  readonly author: AtomPerson;
  /** The address of this document; absent only if it is not known yet. */
  readonly selfUrl?: string;
  /** The page for people. */
  readonly url?: string;
  readonly hubUrls?: readonly string[];
  /** The archive with the earlier entries. */
  readonly prevArchiveUrl?: string;
  /** The archive with the later entries. */
  readonly nextArchiveUrl?: string;
  /** In an archive: the address of the current feed. */
  readonly currentUrl?: string;
  /** An archive is never written again. */
  readonly isArchive?: boolean;
  /** A language tag, such as `en`. */
  readonly language?: string;
  readonly generator?: string;
}

export interface AtomPerson {
  readonly name: string;
  readonly url?: string;
}

/** The prefix that turns the id of a hub into an IRI. */
export const HUB_URN = 'urn:tidings:hub:';

/** An entry needs a URL or content. */
export interface AtomEntry {
  readonly id: string;
  readonly title: string;
  readonly updatedMs: number;
  readonly publishedMs?: number;
  readonly url?: string;
  readonly author?: AtomPerson;
  readonly categories?: readonly string[];
  /** Text without markup. */
  readonly summary?: string;
  readonly content?: readonly HtmlBlock[];
  /** Ids of the hubs that it came through, as links with the relation `via`. */
  readonly hubs?: readonly string[];
}
