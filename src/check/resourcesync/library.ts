import type { AnsweredDocument } from '../../codecs/primitives/seen-document.ts';
import { BodyTooLargeError } from '../../errors/fetch-error.ts';
import { UnreadableTargetError } from '../../errors/unreadable-target-error.ts';
import type { DocumentSource, FailedRead } from '../read-document.ts';

/** What a site answers for an address. */
export type Answer =
  | { readonly kind: 'there'; readonly document: AnsweredDocument }
  /** It is answered for good, and not with a document. */
  | { readonly kind: 'absent'; readonly where: string; readonly seen: string; readonly isTooLarge?: boolean }
  /** Nothing can be said now. */
  | { readonly kind: 'unread'; readonly where: string };

interface AskOptions {
  /** Whether it is there is all that counts. */
  readonly headersOnly?: boolean;
  /** It is not needed a second time. */
  readonly isOnce?: boolean;
}

/** The documents of a site, each asked for once as long as it is small. */
export interface Library {
  readonly isLive: boolean;
  ask(address: string, options?: AskOptions): Promise<Answer>;
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

export function openLibrary(source: Pick<DocumentSource, 'name' | 'live' | 'read'>): Library {
  const kept = new Map<string, Answer>();
  const unread: string[] = [];
  let refusal: UnreadableTargetError | undefined;
  let requests = 0;
  let isStopped = false;
  let isStopTold = false;
  let isSpent = false;
  let base: string | undefined;

  const ask = async (address: string, headersOnly: boolean): Promise<Answer> => {
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
    const document = await source.read(address, { maxBodyBytes: MAX_BODY_BYTES, headersOnly });
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
    get refusal() {
      return refusal;
    },
    get isSpent() {
      return isSpent;
    },
    async ask(address, { headersOnly = false, isOnce = headersOnly } = {}) {
      const known = kept.get(address);
      if (known !== undefined) return known;
      const answer = await ask(address, headersOnly);
      const isSmall = answer.kind !== 'there' || answer.document.bytes.length <= MAX_KEPT_BYTES;
      if (!isOnce && isSmall && kept.size < MAX_KEPT) kept.set(address, answer);
      return answer;
    },
  };
}

const NO_FILE = { kind: 'answered', status: 404, headers: undefined, bytes: new Uint8Array() } as const;

/**
 * Below which path of its host a folder is served, by where a file of it was found. A folder finds files by the end of their path;
 * the first one that is found says it for all.
 */
function baseOf(address: string, document: AnsweredDocument | FailedRead, name: string): string | undefined {
  if (document.kind !== 'answered' || document.status !== 200 || !/^https?:/i.test(address)) return undefined;
  const path = decoded(new URL(address).pathname);
  const file = document.where.slice(name.replace(/\/$/, '').length);
  return path.endsWith(file) ? path.slice(0, path.length - file.length) : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
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
    return { kind: 'absent', where, seen: document.failure, isTooLarge: document.cause instanceof BodyTooLargeError };
  }
  if (document.status === 200) return { kind: 'there', document };
  const seen = document.headers === undefined ? 'There is no such file.' : `It answers with status ${document.status}.`;
  return { kind: 'absent', where, seen };
}
