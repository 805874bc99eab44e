import { isSameBytes } from '../primitives/bytes.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import type { Result } from '../primitives/result.ts';
import { type AnsweredDocument, documentText, isFound, type SeenDocument } from '../primitives/seen-document.ts';
import { readObject } from './read-object.ts';

/** The manifest of a service, and where it was expected when it was found elsewhere. */
export interface SeenDiscovery {
  readonly document: SeenDocument;
  readonly missingAt?: string;
}

/** What a reader saw of one source, or of the feed of all of them. */
export interface SeenSource {
  /** Undefined for the feed of all sources. */
  readonly id: string | undefined;
  /** Absent where there need not be one. */
  readonly head?: SeenDocument;
  /** The head asked for again with the ETag of the first answer. */
  readonly headAgain?: SeenDocument;
  /** Absent where the head leads nowhere that a client would go. */
  readonly latest?: SeenDocument;
  readonly latestAgain?: SeenDocument;
  /** What the template of the manifest leads to, where that is another address than the head names. */
  readonly byTemplate?: SeenDocument;
  readonly archive?: SeenDocument;
  /** The path of its address. */
  readonly archivePath?: string;
  /** The same archive, asked for once more. */
  readonly archiveAgain?: SeenDocument;
  /** The archives before that one, newest first, and what stopped the walk. */
  readonly chain: readonly SeenLink[];
  /** Addresses that name another origin, by the field that has them. They are not followed. */
  readonly strangers: Readonly<Record<string, string>>;
}

/** One archive of a chain, without its text. */
export interface SeenLink {
  readonly where: string;
  /** Why it could not be read. */
  readonly failure?: string;
  /** The walk was here before, and ends. */
  readonly isLoop?: true;
  readonly facts?: FeedFacts;
  /** The path of its address. */
  readonly path: string;
}

/** What of a head or a feed leads on, as it stands there. */
export interface FeedFacts {
  readonly cursor: unknown;
  readonly prevCursor: unknown;
  readonly changed: unknown;
  readonly generatedAt: unknown;
  readonly latestUrl?: string;
  readonly archiveUrl?: string;
  readonly prevArchiveUrl?: string;
  /** Of a feed of many sources: all that it names. */
  readonly sources: readonly string[];
  /** Those of them whose status is `disabled`. */
  readonly disabled: readonly string[];
}

/** The facts of a document, whatever else is wrong with it. Undefined where it holds no JSON object. */
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

/** A large feed takes long to read, and several checks want to. */
export function readOnce(document: AnsweredDocument): ReadText {
  const known = readTexts.get(document.bytes);
  if (known !== undefined) return known;
  const { text, isUtf8 } = documentText(document);
  const read = { text, isUtf8, read: readObject(text) };
  readTexts.set(document.bytes, read);
  return read;
}

/** The document with the bytes of `other` where they are the same: then they are kept and read once. */
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
