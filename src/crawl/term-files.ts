import { decodeRsl, type RslContent } from '../codecs/usage-terms/rsl.ts';
import { decodeTdmRep, type TdmRule } from '../codecs/usage-terms/tdmrep.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBodyText } from '../fetch/read-text.ts';

/** The way to the files, of whoever wants to know what they say. */
export interface FileWay {
  readonly http: HttpClient;
  readonly signal: AbortSignal;
}

/** What a file says: nothing where it is not there or no such file; `unread` where that is not known. */
export type FileTerms<T> = { readonly is: 'said'; readonly rules: readonly T[] } | { readonly is: 'none' | 'unread' };

/**
 * Files beside the pages of a site that say what they may be used for. Each is asked for once a day at most; one that cannot be read now
 * says what it said when it could.
 */
export interface TermFiles {
  /** `tdmrep.json` of a host. */
  reservations(file: string, way: FileWay): Promise<FileTerms<TdmRule>>;
  /** A licence file of RSL. */
  licenses(file: string, way: FileWay): Promise<FileTerms<RslContent>>;
}

/** Only those files that a page or its robots.txt names: nobody is asked for one that may not be there. */
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
  /** Undefined for what is no such file. */
  readonly decode: (text: string) => readonly T[] | undefined;
  readonly now: () => number;
}

async function read<T>(file: string, way: FileWay, { kept, decode, now }: FileKind<T>): Promise<FileTerms<T>> {
  const known = kept.get(file);
  if (known !== undefined && now() < known.untilMs) return known.terms;
  const found = await ask(file, way, decode);
  const isDoubtful = found.is === 'unread' || (found.is === 'none' && found.isOther === true);
  const terms = isDoubtful && known !== undefined ? known.terms : found;
  // A map keeps the order of insertion, so the first key is the one asked for longest ago.
  kept.delete(file);
  kept.set(file, { terms, untilMs: now() + DAY_MS });
  const [oldest] = kept.keys();
  if (kept.size > MAX_FILES && oldest !== undefined) kept.delete(oldest);
  return terms;
}

/** `isOther`: something else answers at its place, as a host does that sends its start page for whatever is not there. */
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
