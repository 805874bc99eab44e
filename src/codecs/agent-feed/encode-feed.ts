import { ATOM_NAMESPACE } from '../primitives/xml-names.ts';
import { AF_NAMESPACE, type FeedStatus, SPEC_VERSION } from './wire.ts';

export interface FeedDocument {
  /** The URL of the document: its id and its self link. */
  readonly url: string;
  readonly title: string;
  readonly author: string;
  readonly updated: string;
  readonly status: FeedStatus;
  /** The URL of the new feed. Present exactly if the status is `migrated`. */
  readonly migratedTo?: string;
  /** Oldest first: readers apply entries in document order. */
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly id: string;
  readonly updated: string;
  readonly type: string;
  /** The signed text. */
  readonly content: string;
  readonly signature: string;
  readonly signer: string;
  readonly summary: string;
}

/** The text of a feed: the same facts always give the same text. */
export function encodeAgentFeed(feed: FeedDocument): string {
  const moved =
    feed.migratedTo === undefined ? '' : `  <af:migrated-to>${escapeXml(feed.migratedTo)}</af:migrated-to>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="${ATOM_NAMESPACE}" xmlns:af="${AF_NAMESPACE}">
  <id>${escapeXml(feed.url)}</id>
  <title>${escapeXml(feed.title)}</title>
  <updated>${feed.updated}</updated>
  <author><name>${escapeXml(feed.author)}</name></author>
  <link rel="self" type="application/atom+xml" href="${escapeXml(feed.url).replaceAll('"', '&quot;')}"/>
  <af:spec-version>${SPEC_VERSION}</af:spec-version>
  <af:feed-status>${feed.status}</af:feed-status>
${moved}${feed.entries.map(encodeEntry).join('')}</feed>
`;
}

/** Nothing may surround the signed text or the signature, not even a blank. */
function encodeEntry({ id, updated, type, content, signature, signer, summary }: FeedEntry): string {
  return `  <entry>
    <id>${escapeXml(id)}</id>
    <updated>${escapeXml(updated)}</updated>
    <title>${escapeXml(type)}</title>
    <summary>${escapeXml(summary)}</summary>
    <af:type>${escapeXml(type)}</af:type>
    <content type="application/json">${escapeXml(content)}</content>
    <af:sig type="ed25519">${escapeXml(signature)}</af:sig>
    <af:signer>${escapeXml(signer)}</af:signer>
  </entry>
`;
}

/** Quotes stay unescaped, so that people can read the signed text, too. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}
