import { hash } from 'node:crypto';
import { encodeAtomFeed } from '../../../codecs/atom/encode-feed.ts';
import { stableId } from '../../../codecs/atom/stable-id.ts';
import type { AtomHead } from '../../../codecs/atom/wire.ts';
import type { EncodedDocument, ServedDocument } from '../../../hub/http/answer-document.ts';
import { ByteCache } from '../../../hub/http/byte-cache.ts';
import type { AtomShelf } from './atom-shelf.ts';
import { ALL_ATOM, ARCHIVE_ENTRIES, type AtomArchiveName, type AtomFeedRecord } from './atom-store.ts';
import { ALL_TITLE, type AtomSource, collectionSource } from './feed-title.ts';

/** A feed or an archive as it is served now. */
export interface AtomDocument extends ServedDocument {
  read(): Uint8Array;
}

export interface AtomDocumentParts {
  readonly shelf: Pick<AtomShelf, 'identity' | 'find' | 'entries' | 'archive' | 'endedArchives'>;
  /** With a final slash. */
  readonly baseUrl: () => string;
  /** Where people subscribe to feeds; undefined if they cannot. */
  readonly hubUrl?: (() => string) | undefined;
  /** The current name of a source, always the same object while it is unchanged; undefined for one that was removed. */
  readonly sourceOf: (id: string) => (AtomSource & { readonly addedAtMs: number }) | undefined;
  readonly gzip: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly now: () => number;
  readonly cacheBytes?: number;
  /** Other servers serve the same documents. They cannot agree on when one of them was started, so there is no `Last-Modified`. */
  readonly isOneOfSeveral?: boolean;
}

/** A head and the entries below it. */
interface Plan {
  readonly feed: string;
  readonly head: AtomHead;
  readonly first: number;
  readonly last: number;
}

/** What a document is made from. */
interface Seen {
  readonly of: AtomFeedRecord;
  /** The base URL of the hub. */
  readonly base: string;
  /** The number of the newest archive. */
  readonly archive: number;
  readonly source: AtomSource | undefined;
}

interface Ready extends Seen {
  /** The facts besides the record that the head depends on. */
  readonly facts: string;
  /** Since when these facts are known. */
  readonly sinceMs: number;
  readonly document: AtomDocument;
}

/** An empty feed is small, so it is not compressed. */
const GZIP = ['gzip'] as const;
const CACHE_BYTES = 32 * 1024 * 1024;

/** Builds feeds and archives around the stored entries. Popular ones come from memory. */
export class AtomDocuments {
  readonly #parts: AtomDocumentParts;
  readonly #cache: ByteCache;
  readonly #packing = new Map<string, Promise<EncodedDocument>>();
  /** By name, for feeds that have entries. */
  readonly #ready = new Map<string, Ready>();
  /** Earlier heads are not known: titles, the address of the hub and its software may have changed. */
  readonly #openedMs: number;

  constructor(parts: AtomDocumentParts) {
    this.#parts = parts;
    this.#cache = new ByteCache(parts.cacheBytes ?? CACHE_BYTES);
    this.#openedMs = parts.now();
  }

  /** The feed that people follow: its newest entries. Undefined if it does not exist. */
  current(name: string): AtomDocument | undefined {
    const record = this.#parts.shelf.find(name);
    if (record === undefined) return this.#empty(name);
    const known = this.#ready.get(name);
    const [base, archive] = [this.#parts.baseUrl(), this.#newestArchive(record)];
    const seen: Seen = { of: record, base, archive, source: this.#parts.sourceOf(record.source ?? '') };
    if (known !== undefined && isSeen(known, seen)) return known.document;
    const now = nameNow(record, seen.source);
    const facts = JSON.stringify([base, now.title, now.url, archive]);
    const isOther = known !== undefined && known.facts !== facts;
    const sinceMs = isOther ? this.#parts.now() : (known?.sinceMs ?? this.#openedMs);
    const isSame = known?.of === record && !isOther;
    const document = isSame ? known.document : this.#document(this.#planOf({ ...record, ...now }), sinceMs);
    this.#ready.set(name, { ...seen, facts, sinceMs, document });
    return document;
  }

  /**
   * Entries that are complete and stay so (RFC 5005, 4). Undefined while there are not enough of them; `gone` if the archive has
   * ended or belonged to another log.
   */
  archive(name: string, { number, epoch }: AtomArchiveName): AtomDocument | 'gone' | undefined {
    const { shelf } = this.#parts;
    const record = shelf.find(name);
    if (record === undefined || number < 1 || number * ARCHIVE_ENTRIES > record.entries) return undefined;
    if (number <= shelf.endedArchives(name)) return 'gone';
    const kept = shelf.archive(name, number);
    if (kept === undefined) throw new Error(`Archive ${number} of ${name} is full but not known.`);
    if (kept.epoch !== epoch) return 'gone';
    const before = { number: number - 1, epoch: shelf.archive(name, number - 1)?.epoch };
    const head = {
      ...this.#headOf({ ...idOf(record), ...kept }, atomPath(name, { number, epoch }), before),
      currentUrl: this.#urlOf(atomPath(name)),
      isArchive: true,
    };
    const last = number * ARCHIVE_ENTRIES;
    return this.#document({ feed: name, head, first: last - ARCHIVE_ENTRIES + 1, last });
  }

  /** The feed of a source that has not changed yet. */
  #empty(name: string): AtomDocument | undefined {
    const isAll = name === ALL_ATOM;
    const source = isAll ? { title: ALL_TITLE, addedAtMs: 0 } : this.#parts.sourceOf(name);
    if (source === undefined) return undefined;
    const { addedAtMs: updatedMs, ...now } = source;
    return this.#document(this.#planOf({ ...now, name, ...(!isAll && { source: name }), entries: 0, updatedMs }));
  }

  #planOf(record: AtomFeedRecord): Plan {
    const { name, entries, epoch } = record;
    const hub = this.#parts.hubUrl?.();
    const head = {
      ...this.#headOf(record, atomPath(name), { number: this.#newestArchive(record), epoch }),
      // Not in archives, because those never change.
      ...(hub !== undefined && { hubUrls: [hub] }),
    };
    return { feed: name, head, first: Math.max(1, entries - ARCHIVE_ENTRIES + 1), last: entries };
  }

  /** The number of the newest archive; 0 if there is none, or none is left. */
  #newestArchive({ name, entries }: AtomFeedRecord): number {
    const newest = Math.floor(entries / ARCHIVE_ENTRIES);
    return newest > this.#parts.shelf.endedArchives(name) ? newest : 0;
  }

  /** `before` is the newest archive before the document; number 0 means none. */
  #headOf(record: Omit<AtomFeedRecord, 'entries'>, path: string, before: AtomArchiveName): AtomHead {
    const { name, source = '', describes, title, url, updatedMs } = record;
    const base = new URL(this.#parts.baseUrl());
    const { identity } = this.#parts.shelf;
    return {
      id: stableId(identity, 'atom', source, ...(describes === undefined ? [] : [describes])),
      title: name === ALL_ATOM ? `${title} at ${base.host}` : title,
      updatedMs,
      author: { name: base.host, url: base.href },
      selfUrl: this.#urlOf(path),
      url: url ?? base.href,
      ...(before.number > 0 && { prevArchiveUrl: this.#urlOf(atomPath(name, before)) }),
      generator: 'Tidings',
    };
  }

  /** Entries never change, so the ETag depends only on the head and on which entries are below it. */
  #document(plan: Plan, sinceMs = this.#openedMs): AtomDocument {
    const { feed, head, first, last } = plan;
    const name = hash('sha256', JSON.stringify([encoded(head, []), feed, first, last]), 'hex').slice(0, 32);
    const hasEntries = last >= first;
    return {
      etag: `"${name}"`,
      ...(hasEntries && { encodings: GZIP }),
      ...(hasEntries && !this.#parts.isOneOfSeveral && { lastModifiedMs: Math.max(head.updatedMs, sinceMs) }),
      read: () => this.#read(name, plan),
      encoded: () => this.#gzip(name, plan),
    };
  }

  #read(key: string, { feed, head, first, last }: Plan): Uint8Array {
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const entries = last >= first ? this.#parts.shelf.entries(feed, first, last) : [];
    const bytes = new TextEncoder().encode(encoded(head, entries.toReversed()));
    this.#cache.set(key, bytes);
    return bytes;
  }

  /** Compressed only once, however many clients ask at the same time. */
  #gzip(key: string, plan: Plan): EncodedDocument | Promise<EncodedDocument> {
    const packedKey = `${key} gzip`;
    const known = this.#cache.get(packedKey);
    if (known !== undefined) return { bytes: known.length, body: known };
    const packing =
      this.#packing.get(key) ??
      this.#parts.gzip(this.#read(key, plan)).then((body) => {
        this.#cache.set(packedKey, body);
        return { bytes: body.length, body };
      });
    this.#packing.set(key, packing);
    return packing.finally(() => this.#packing.delete(key));
  }

  #urlOf(path: string): string {
    return new URL(path, this.#parts.baseUrl()).href;
  }
}

function isSeen(known: Seen, { of, base, archive, source }: Seen): boolean {
  return known.of === of && known.base === base && known.archive === archive && known.source === source;
}

/** The current name, or the last known one if the source was removed. */
function nameNow({ describes, title, url }: AtomFeedRecord, now: AtomSource | undefined): AtomSource {
  if (now === undefined) return { title, ...(url !== undefined && { url }) };
  if (describes !== undefined) return collectionSource(now, describes);
  return { title: now.title, ...(now.url !== undefined && { url: now.url }) };
}

/** Relative to the base of the hub. The path of an archive if one is given. */
export function atomPath(name: string, archive?: AtomArchiveName): string {
  const path = name === ALL_ATOM ? 'changes' : `atom/${name}`;
  if (archive === undefined) return `${path}.atom`;
  const { number, epoch } = archive;
  return `${path}/_archive/${number}${epoch === undefined ? '' : `-${epoch}`}.atom`;
}

/** The parts of a feed record that never change. */
function idOf({ name, source, describes }: AtomFeedRecord): Pick<AtomFeedRecord, 'name' | 'source' | 'describes'> {
  return { name, ...(source !== undefined && { source }), ...(describes !== undefined && { describes }) };
}

function encoded(head: AtomHead, entries: readonly string[]): string {
  const feed = encodeAtomFeed(head, entries);
  if (!feed.ok) throw new Error(`The feed ${head.selfUrl} cannot be written: ${feed.issues[0].message}`);
  return feed.value;
}
