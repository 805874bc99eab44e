import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';
import type { AnsweredDocument } from '../../../codecs/primitives/seen-document.ts';
import { BodyTooLargeError } from '../../../errors/fetch-error.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import { isOnSite } from '../../../fetch/same-site.ts';
import type { CheckParts } from '../../checker.ts';
import type { DocumentSource, FailedRead } from '../../document-source.ts';
import { shown } from './list-context.ts';

/** What a site answers for an address. */
export type SiteAnswer =
  | { readonly kind: 'there'; readonly document: SiteDocument }
  /** A permanent answer without a document. */
  | { readonly kind: 'absent'; readonly where: string; readonly seen: string; readonly isTooLarge?: boolean }
  /** Nothing can be said now. */
  | { readonly kind: 'unread'; readonly where: string };

export interface SiteDocument extends AnsweredDocument {
  /** Whether it came as gzip without a header that says so. */
  readonly isUnpacked?: boolean;
}

interface AskOptions {
  /** Only whether it exists counts. */
  readonly headersOnly?: boolean;
  /** Its raw bytes count, whoever serves them, and they are not kept for a second request. */
  readonly isResource?: boolean;
  /** Larger files of a folder are not read. */
  readonly maxFileBytes?: number;
}

const MEBIBYTE = 1024 * 1024;
/** More than any document may have. */
const MAX_BODY_BYTES = 64 * MEBIBYTE;
const MAX_KEPT_BYTES = MEBIBYTE;
const MAX_REQUESTS = 1000;
const MAX_KEPT = 200;
/** A site that is down is not asked for everything. */
const MAX_FAILURES = 3;

/** The documents of a site. Small documents are requested only once. */
export class SiteDocuments {
  readonly isLive: boolean;
  readonly #source: Pick<DocumentSource, 'name' | 'live' | 'read'>;
  readonly #gunzip: CheckParts['gunzip'];
  readonly #kept = new Map<string, SiteAnswer>();
  readonly #unread: string[] = [];
  #refusal: UnreadableTargetError | undefined;
  #requests = 0;
  #isStopped = false;
  #isStopTold = false;
  #isSpent = false;
  #base: string | undefined;

  constructor(source: Pick<DocumentSource, 'name' | 'live' | 'read'>, { gunzip }: Pick<CheckParts, 'gunzip'>) {
    this.#source = source;
    this.#gunzip = gunzip;
    this.isLive = source.live;
  }

  /** The path below which a folder is served on its host, without a slash at the end. Undefined until a file shows it. */
  get base(): string | undefined {
    return this.#base;
  }

  /** What could not be read now, and why. */
  get unread(): readonly string[] {
    return this.#unread;
  }

  /** The first failure, to be thrown if nothing at all could be read. */
  get refusal(): UnreadableTargetError | undefined {
    return this.#refusal;
  }

  /** Whether some requests were not made because there were too many. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  async ask(address: string, { isResource, ...options }: AskOptions = {}): Promise<SiteAnswer> {
    const isPlain = isResource ?? options.headersOnly ?? false;
    const known = isPlain ? undefined : this.#kept.get(address);
    if (known !== undefined) return known;
    const answer = await this.#read(address, options);
    if (isPlain) return answer;
    const read = await unpacked(onItsSite(answer), this.#gunzip);
    const isSmall = read.kind !== 'there' || read.document.bytes.length <= MAX_KEPT_BYTES;
    if (isSmall && this.#kept.size < MAX_KEPT) this.#kept.set(address, read);
    return read;
  }

  async #read(address: string, options: Omit<AskOptions, 'isResource'>): Promise<SiteAnswer> {
    if (!this.#mayAsk(address)) return { kind: 'unread', where: address };
    const { name, live } = this.#source;
    const document = await this.#source.read(address, { maxBodyBytes: MAX_BODY_BYTES, ...options });
    const problem = problemOf(document);
    if (problem === undefined) {
      const found = live ? undefined : baseOf(address, document, name);
      this.#base ??= found;
      return siteAnswer(found === this.#base || found === undefined ? document : { ...document, ...NO_FILE });
    }
    this.#unread.push(`${address}: ${problem.reason}`);
    this.#refusal ??= new UnreadableTargetError(name, problem.reason, problem.recovery, problem.cause);
    this.#isStopped = live && (problem.isPause || this.#unread.length >= MAX_FAILURES);
    return { kind: 'unread', where: document.where };
  }

  #mayAsk(address: string): boolean {
    if (this.#isStopped) {
      if (!this.#isStopTold) this.#unread.push(`${address} and what else there is: it was not asked for`);
      this.#isStopTold = true;
      return false;
    }
    this.#requests += 1;
    this.#isSpent ||= this.isLive && this.#requests > MAX_REQUESTS;
    return !this.#isSpent;
  }
}

/** Documents that another site serves do not belong to this one. */
function onItsSite(answer: SiteAnswer): SiteAnswer {
  if (answer.kind !== 'there') return answer;
  const { where, servedBy = where } = answer.document;
  if (servedBy === where || isOnSite(servedBy, [new URL(where)])) return answer;
  const seen = `It leads to ${shown(servedBy)}, on another site: harvesters refuse that.`;
  return { kind: 'absent', where, seen };
}

/** A `.gz` file is often served as raw bytes. What cannot be unpacked stays unchanged. */
async function unpacked(answer: SiteAnswer, gunzip: CheckParts['gunzip']): Promise<SiteAnswer> {
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
 * The path below which a folder is served on its host, from where one of its files was found. A folder finds files by the end of
 * their path; the first file found decides for all.
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
  /** The server asks for a pause. */
  readonly isPause: boolean;
}

/** Why a document cannot be judged now. A permanent answer is no problem, whatever it says. */
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

function siteAnswer(document: AnsweredDocument | FailedRead): SiteAnswer {
  const { where } = document;
  if (document.kind === 'unread') {
    const isTooLarge = document.isTooLarge === true || document.cause instanceof BodyTooLargeError;
    return { kind: 'absent', where, seen: document.failure, isTooLarge };
  }
  if (document.status === 200) return { kind: 'there', document };
  const seen = document.headers === undefined ? 'There is no such file.' : `It answers with status ${document.status}.`;
  return { kind: 'absent', where, seen };
}
