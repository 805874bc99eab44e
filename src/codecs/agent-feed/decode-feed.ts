import { readXml, type XmlElement, type XmlHandlers, XmlStop } from '../primitives/guarded-xml.ts';
import { accept, type Result } from '../primitives/result.ts';
import { ATOM_NAMESPACE } from '../primitives/xml-names.ts';
import { EntryReading } from './entry-reading.ts';
import { FeedLevelReading } from './feed-reading.ts';
import type { DecodedAgentFeed, DecodedEntry } from './wire.ts';

export const AGENT_FEED_LIMITS = { maxCharacters: 32 * 1024 * 1024, maxEntries: 100_000 } as const;

const ROOT_DEPTH = 1;
const CHILD_DEPTH = 2;
const FIELD_DEPTH = 3;

/**
 * Decodes a feed without verifying anything. Only direct children of the feed and of its entries count, by namespace and not by
 * prefix, so nothing can be smuggled in from a nested `source` or a foreign element.
 */
export function decodeAgentFeed(xml: string): Result<DecodedAgentFeed> {
  const document = new DocumentReading();
  const read = readXml(xml, AGENT_FEED_LIMITS, 'AF-W2', document);
  return read.ok ? accept({ ...document.feed.finish(), entries: document.entries }) : read;
}

class DocumentReading implements XmlHandlers {
  readonly feed = new FeedLevelReading();
  readonly entries: DecodedEntry[] = [];
  #entry: EntryReading | undefined;

  open(element: XmlElement, depth: number, line: number): void {
    if (this.#entry !== undefined) {
      this.#entry.open(element, depth === FIELD_DEPTH);
    } else if (depth === CHILD_DEPTH && element.local === 'entry' && element.uri === ATOM_NAMESPACE) {
      if (this.entries.length === AGENT_FEED_LIMITS.maxEntries) {
        throw new XmlStop(`it has more than ${AGENT_FEED_LIMITS.maxEntries} entries`);
      }
      this.#entry = new EntryReading(line);
    } else if (depth > ROOT_DEPTH) {
      this.feed.open(element, depth);
    } else if (element.local !== 'feed' || element.uri !== ATOM_NAMESPACE) {
      throw new XmlStop(
        `its root is "${element.local.slice(0, 50)}" of "${element.uri.slice(0, 100)}", not an Atom feed`,
      );
    }
  }

  close(depth: number): void {
    if (this.#entry === undefined) this.feed.close(depth);
    else if (depth > CHILD_DEPTH) this.#entry.close(depth === FIELD_DEPTH);
    else {
      this.entries.push(this.#entry.finish());
      this.#entry = undefined;
    }
  }

  wantsText(): boolean {
    return this.#entry === undefined ? this.feed.wantsText() : this.#entry.wantsText();
  }

  text(text: string): void {
    if (this.#entry !== undefined) this.#entry.text(text);
    else this.feed.text(text);
  }

  cdata(text: string): void {
    this.text(text);
  }

  comment(): void {
    this.#entry?.disturb('a comment');
  }

  processingInstruction(): void {
    this.#entry?.disturb('a processing instruction');
  }
}
