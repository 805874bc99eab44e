import { decodeRsl, type RslContent } from '../codecs/usage-terms/rsl.ts';
import { decodeTdmRep, type TdmRule } from '../codecs/usage-terms/tdmrep.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBodyText } from '../fetch/read-text.ts';

/** How to request the files, and on whose behalf. */
export interface FileWay {
  readonly http: HttpClient;
  readonly signal: AbortSignal;
}

/** What a file says: `none` if it does not exist or is invalid; `unread` if that is unknown. */
export type FileTerms<T> = { readonly is: 'said'; readonly rules: readonly T[] } | { readonly is: 'none' | 'unread' };

/**
 * Files beside the pages of a site that say what the pages may be used for. Each is requested at most once a day; if one cannot be read now, its last
 * content applies.
 */
export interface TermFiles {
  /** `tdmrep.json` of a host. */
  reservations(file: string, way: FileWay): Promise<FileTerms<TdmRule>>;
  /** An RSL licence file. */
  licenses(file: string, way: FileWay): Promise<FileTerms<RslContent>>;
}

/** Only the files that a page or its robots.txt names: no request is made for a file that may not exist. */
export function namedFilesOf(files: TermFiles): TermFiles {
  return { reservations: async () => ({ is: 'none' }), licenses: (file, way) => files.licenses(file, way) };
}

interface Kept<T> {
  readonly terms: FileTerms<T>;
  readonly untilMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_FILES = 1000;
const MAX_FILE_BYTES = 1024 * 1024;
const TOO_MANY_REQUESTS = 429;

export function createTermFiles({ now }: { readonly now: () => number }): TermFiles {
  const reservations = new Map<string, Kept<TdmRule>>();
  const licenses = new Map<string, Kept<RslContent>>();
  return {
    reservations: (file, way) => read(file, way, { kept: reservations, decode: reservationsIn, now }),
    licenses: (file, way) => read(file, way, { kept: licenses, decode: licensesIn, now }),
  };
}

interface FileKind<T> {
  readonly kept: Map<string, Kept<T>>;
  /** Undefined for an invalid file. */
  readonly decode: (text: string) => readonly T[] | undefined;
  readonly now: () => number;
}

async function read<T>(file: string, way: FileWay, { kept, decode, now }: FileKind<T>): Promise<FileTerms<T>> {
  const known = kept.get(file);
  if (known !== undefined && now() < known.untilMs) return known.terms;
  const found = await ask(file, way, decode);
  const isDoubtful = found.is === 'unread' || (found.is === 'none' && found.isOther === true);
  const terms = isDoubtful && known !== undefined ? known.terms : found;
  // A map keeps the order of insertion, so the first key is the one requested longest ago.
  kept.delete(file);
  kept.set(file, { terms, untilMs: now() + DAY_MS });
  const [oldest] = kept.keys();
  if (kept.size > MAX_FILES && oldest !== undefined) kept.delete(oldest);
  return terms;
}

/** `isOther`: something else is at its place, as on a host that sends its start page for missing files. */
type Answer<T> = FileTerms<T> & { readonly isOther?: true };

async function ask<T>(file: string, { http, signal }: FileWay, decode: FileKind<T>['decode']): Promise<Answer<T>> {
  try {
    const response = await http.get({ url: new URL(file), maxBodyBytes: MAX_FILE_BYTES, signal });
    if (response.status === 200) {
      const rules = decode(await readBodyText(response, { maxBytes: MAX_FILE_BYTES }));
      return rules === undefined ? { is: 'none', isOther: true } : { is: 'said', rules };
    }
    await response.discard();
    const isAbsent = response.status >= 400 && response.status < 500 && response.status !== TOO_MANY_REQUESTS;
    return { is: isAbsent ? 'none' : 'unread' };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TidingsError)) throw error;
    return { is: 'unread' };
  }
}

function reservationsIn(text: string): readonly TdmRule[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? decodeTdmRep(value) : undefined;
  } catch {
    return undefined;
  }
}

function licensesIn(text: string): readonly RslContent[] | undefined {
  const decoded = decodeRsl(text);
  return decoded.ok ? decoded.value : undefined;
}
