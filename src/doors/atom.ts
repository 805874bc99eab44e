/** `tidings/atom`: feeds for people, written as Atom and read as Atom, RSS and JSON Feed. Nothing is fetched. */

export { decodeAtomFeed, decodeWebFeed as decodeFeed } from '../codecs/atom/decode-feed.ts';
export type {
  DecodedWebFeed as DecodedFeed,
  DecodedWebFeed,
  DecodeFeedOptions,
  FeedFormat,
  WebFeedItem as FeedItem,
  WebFeedItem,
} from '../codecs/atom/decoded-feed.ts';
export { encodeAtomEntry } from '../codecs/atom/encode-entry.ts';
export { encodeAtomFeed } from '../codecs/atom/encode-feed.ts';
export {
  beforeAfter,
  encodeHtml,
  type HtmlBlock,
  type HtmlInline,
  link,
  list,
  paragraph,
} from '../codecs/atom/html.ts';
export { stableId } from '../codecs/atom/stable-id.ts';
export { takeAtomEntries } from '../codecs/atom/take-entries.ts';
export type { AtomEntry, AtomHead, AtomPerson } from '../codecs/atom/wire.ts';
export type { Issue, Result } from '../codecs/primitives/result.ts';
