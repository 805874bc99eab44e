import { isSameBytes } from '../primitives/bytes.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import type { Result } from '../primitives/result.ts';
import { type AnsweredDocument, documentText, isFound, type SeenDocument } from '../primitives/seen-document.ts';
import { readObject } from './read-object.ts';

/** The manifest of a service, and where it was expected if it was found elsewhere. */
export interface SeenDiscovery {
  readonly document: SeenDocument;
  readonly missingAt?: string;
}

/** What a reader fetched for one source, or for the feed of all sources. */
export interface SeenSource {
  /** Undefined for the feed of all sources. */
  readonly id: string | undefined;
  /** Absent if none is required. */
  readonly head?: SeenDocument;
  /** The head, requested again with the ETag of the first response. */
  readonly headAgain?: SeenDocument;
  /** Absent if the head leads to no address that a client would follow. */
  readonly latest?: SeenDocument;
  readonly latestAgain?: SeenDocument;
  /** The document at the template of the manifest, if the head names a different address. */
  readonly byTemplate?: SeenDocument;
  readonly archive?: SeenDocument;
  /** The path of its address. */
  readonly archivePath?: string;
  /** The same archive, requested again. */
  readonly archiveAgain?: SeenDocument;
  /** The archives before that one, newest first, and what stopped the walk. */
  readonly chain: readonly SeenLink[];
  /** Addresses at another origin, by their field. They are not followed. */
  readonly strangers: Readonly<Record<string, string>>;
}

/** One archive of a chain, without its text. */
export interface SeenLink {
  readonly where: string;
  /** Why it could not be read. */
  readonly failure?: string;
  /** The walk has been here before, so it ends. */
  readonly isLoop?: true;
  readonly facts?: FeedFacts;
  /** The path of its address. */
  readonly path: string;
}

/** The addresses and cursors of a head or a feed, as written. */
export interface FeedFacts {
  readonly cursor: unknown;
  readonly prevCursor: unknown;
  readonly changed: unknown;
  readonly generatedAt: unknown;
  readonly latestUrl?: string;
  readonly archiveUrl?: string;
  readonly prevArchiveUrl?: string;
  /** In a feed of many sources: all sources that it names. */
  readonly sources: readonly string[];
  /** Those of them whose status is `disabled`. */
  readonly disabled: readonly string[];
}

/** The facts of a document, whatever else is wrong with it. Undefined if it is not a JSON object. */
export function feedFactsOf(document: SeenDocument | undefined): FeedFacts | undefined {
  const fields = jsonFieldsOf(document);
  if (fields === undefined) return undefined;
  const { latest_url: latestUrl, archive_url: archiveUrl, prev_archive_url: prevArchiveUrl } = fields;
  return {
    cursor: fields.cursor,
    prevCursor: fields.prev_cursor,
    changed: fields.changed,
    generatedAt: fields.generated_at,
    ...(typeof latestUrl === 'string' && { latestUrl }),
    ...(typeof archiveUrl === 'string' && { archiveUrl }),
    ...(typeof prevArchiveUrl === 'string' && { prevArchiveUrl }),
    sources: sourcesNamed(fields),
    disabled: sourcesDisabled(fields),
  };
}

/** The JSON object that a document holds. */
export function jsonFieldsOf(document: SeenDocument | undefined): JsonRecord | undefined {
  if (!isFound(document)) return undefined;
  const { read } = readOnce(document);
  return read.ok ? read.value : undefined;
}

interface ReadText {
  readonly text: string;
  readonly isUtf8: boolean;
  readonly read: Result<JsonRecord>;
}

const readTexts = new WeakMap<Uint8Array, ReadText>();

/** A cache: a large feed takes long to parse, and several checks need it. */
export function readOnce(document: AnsweredDocument): ReadText {
  const known = readTexts.get(document.bytes);
  if (known !== undefined) return known;
  const { text, isUtf8 } = documentText(document);
  const read = { text, isUtf8, read: readObject(text) };
  readTexts.set(document.bytes, read);
  return read;
}

/** The document with the bytes of `other` if they are equal, so that they are stored and parsed once. */
export function sharingBytes(document: SeenDocument, other: SeenDocument | undefined): SeenDocument {
  if (!isFound(document) || !isFound(other) || !isSameBytes(document.bytes, other.bytes)) return document;
  return { ...document, bytes: other.bytes };
}

function sourcesDisabled({ sources }: JsonRecord): string[] {
  const entries = Object.entries(isRecord(sources) ? sources : {});
  return entries.flatMap(([id, entry]) => (isRecord(entry) && entry.status === 'disabled' ? [id] : []));
}

function sourcesNamed({ sources, sources_included: included }: JsonRecord): string[] {
  const listed = Array.isArray(included) ? included.filter((id) => typeof id === 'string') : [];
  return [...new Set([...listed, ...(isRecord(sources) ? Object.keys(sources) : [])])];
}
