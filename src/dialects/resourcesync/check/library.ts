import type { DocumentSource, FailedRead } from '../../../check/read-document.ts';
import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';
import type { AnsweredDocument } from '../../../codecs/primitives/seen-document.ts';
import { BodyTooLargeError } from '../../../errors/fetch-error.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { type ResourceSyncCheckParts, shown } from './bench.ts';

/** What a site answers for an address. */
export type Answer =
  | { readonly kind: 'there'; readonly document: LibraryDocument }
  /** It is answered for good, and not with a document. */
  | { readonly kind: 'absent'; readonly where: string; readonly seen: string; readonly isTooLarge?: boolean }
  /** Nothing can be said now. */
  | { readonly kind: 'unread'; readonly where: string };

export interface LibraryDocument extends AnsweredDocument {
  /** Whether it came as gzip that no header speaks of. */
  readonly isUnpacked?: boolean;
}

interface AskOptions {
  /** Whether it is there is all that counts. */
  readonly headersOnly?: boolean;
  /** Its bytes count as they are served, from wherever, and are not needed a second time. */
  readonly isResource?: boolean;
  /** Files of a folder that are larger are not read. */
  readonly maxFileBytes?: number;
}

/** The documents of a site, each asked for once as long as it is small. */
export interface Library {
  readonly isLive: boolean;
  ask(address: string, options?: AskOptions): Promise<Answer>;
  /** The path of its host below which a folder is served, without a slash at the end. Undefined until a file told it. */
  readonly base: string | undefined;
  /** What could not be read now, and why. */
  readonly unread: readonly string[];
  /** The first reason, to be thrown where nothing at all could be read. */
  readonly refusal: UnreadableTargetError | undefined;
  /** Whether some was not asked for because there was too much. */
  readonly isSpent: boolean;
}

const MEBIBYTE = 1024 * 1024;
/** Larger than any document may be. */
const MAX_BODY_BYTES = 64 * MEBIBYTE;
const MAX_KEPT_BYTES = MEBIBYTE;
const MAX_REQUESTS = 1000;
const MAX_KEPT = 200;
/** A site that is down is not asked for everything. */
const MAX_FAILURES = 3;

export function openLibrary(
  source: Pick<DocumentSource, 'name' | 'live' | 'read'>,
  { isOnSite, gunzip }: Pick<ResourceSyncCheckParts, 'isOnSite' | 'gunzip'>,
): Library {
  const kept = new Map<string, Answer>();
  const unread: string[] = [];
  let refusal: UnreadableTargetError | undefined;
  let requests = 0;
  let isStopped = false;
  let isStopTold = false;
  let isSpent = false;
  let base: string | undefined;

  const ask = async (address: string, options: Pick<AskOptions, 'headersOnly' | 'maxFileBytes'>): Promise<Answer> => {
    if (isStopped) {
      if (!isStopTold) unread.push(`${address} and what else there is: it was not asked for`);
      isStopTold = true;
      return { kind: 'unread', where: address };
    }
    requests += 1;
    if (source.live && requests > MAX_REQUESTS) {
      isSpent = true;
      return { kind: 'unread', where: address };
    }
    const document = await source.read(address, { maxBodyBytes: MAX_BODY_BYTES, ...options });
    const problem = problemOf(document);
    if (problem === undefined) {
      const found = source.live ? undefined : baseOf(address, document, source.name);
      base ??= found;
      return answerOf(found === base || found === undefined ? document : { ...document, ...NO_FILE });
    }
    unread.push(`${address}: ${problem.reason}`);
    refusal ??= new UnreadableTargetError(source.name, problem.reason, problem.recovery, problem.cause);
    isStopped = source.live && (problem.isPause || unread.length >= MAX_FAILURES);
    return { kind: 'unread', where: document.where };
  };

  return {
    isLive: source.live,
    unread,
    get base() {
      return base;
    },
    get refusal() {
      return refusal;
    },
    get isSpent() {
      return isSpent;
    },
    async ask(address, { isResource, ...options } = {}) {
      const isPlain = isResource ?? options.headersOnly ?? false;
      const known = isPlain ? undefined : kept.get(address);
      if (known !== undefined) return known;
      const answer = await ask(address, options);
      if (isPlain) return answer;
      const read = await unpacked(onItsSite(answer, isOnSite), gunzip);
      const isSmall = read.kind !== 'there' || read.document.bytes.length <= MAX_KEPT_BYTES;
      if (isSmall && kept.size < MAX_KEPT) kept.set(address, read);
      return read;
    },
  };
}

/** Documents that others serve are not those of the site. */
function onItsSite(answer: Answer, isOnSite: ResourceSyncCheckParts['isOnSite']): Answer {
  if (answer.kind !== 'there') return answer;
  const { where, servedBy = where } = answer.document;
  if (servedBy === where || isOnSite(servedBy, [new URL(where)])) return answer;
  const seen = `It leads to ${shown(servedBy)}, on another site: harvesters refuse that.`;
  return { kind: 'absent', where, seen };
}

/** A `.gz` is often served as the bytes that it is. What cannot be unpacked stays as it came. */
async function unpacked(answer: Answer, gunzip: ResourceSyncCheckParts['gunzip']): Promise<Answer> {
  if (answer.kind !== 'there') return answer;
  const { document } = answer;
  const [first, second] = document.bytes;
  if (first !== 0x1f || second !== 0x8b) return answer;
  try {
    const bytes = await gunzip(document.bytes, MAX_BODY_BYTES);
    return { kind: 'there', document: { ...document, bytes, isUnpacked: true } };
  } catch {
    return answer;
  }
}

const NO_FILE = { kind: 'answered', status: 404, headers: undefined, bytes: new Uint8Array() } as const;

/**
 * Below which path of its host a folder is served, by where a file of it was found. A folder finds files by the end of their path;
 * the first one that is found says it for all.
 */
function baseOf(address: string, document: AnsweredDocument | FailedRead, name: string): string | undefined {
  if (document.kind !== 'answered' || document.status !== 200 || !/^https?:/i.test(address)) return undefined;
  const path = percentDecoded(new URL(address).pathname);
  const file = document.where.slice(name.replace(/\/$/, '').length);
  return path.endsWith(file) ? path.slice(0, path.length - file.length) : undefined;
}

interface Problem {
  readonly reason: string;
  readonly recovery: FailedRead['recovery'];
  readonly cause?: unknown;
  /** The server asks to be left in peace. */
  readonly isPause: boolean;
}

/** Why nothing can be said of a document now. What is answered for good is no problem, whatever it is. */
function problemOf(document: AnsweredDocument | FailedRead): Problem | undefined {
  if (document.kind === 'unread') {
    const { failure: reason, recovery, cause } = document;
    return recovery === 'fix-input' ? undefined : { reason, recovery, cause, isPause: false };
  }
  const { status, where } = document;
  if (status !== 429 && status < 500) return undefined;
  const isPause = status === 429 || status === 503;
  return { reason: `${where} answers with status ${status}`, recovery: 'retry-later', isPause };
}

function answerOf(document: AnsweredDocument | FailedRead): Answer {
  const { where } = document;
  if (document.kind === 'unread') {
    const isTooLarge = document.isTooLarge === true || document.cause instanceof BodyTooLargeError;
    return { kind: 'absent', where, seen: document.failure, isTooLarge };
  }
  if (document.status === 200) return { kind: 'there', document };
  const seen = document.headers === undefined ? 'There is no such file.' : `It answers with status ${document.status}.`;
  return { kind: 'absent', where, seen };
}
