import { warn } from '../dialects/diagnostic.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { dialectNamed, readersOf } from '../dialects/feed-readers.ts';
import { reasonOf } from '../dialects/no-offer.ts';
import type { FeedOffer, FeedQuestion, FeedReader, NoOffer, ReaderPorts } from '../dialects/reader.ts';
import { FeedUnreadableError } from '../errors/feed-error.ts';
import { followRefusedError } from '../errors/refusals.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import type { Reading } from './reading.ts';
import { rememberedIn } from './remembered.ts';

export interface OfferQuestion extends Omit<FeedQuestion, 'isNamed'> {
  /** The only dialect to look for. */
  readonly dialect?: string | undefined;
}

export interface FoundOffer {
  readonly dialect: string;
  readonly offer: FeedOffer;
  /** The URL alone shows what is there. */
  readonly isRecognized: boolean;
  /** It was read before. */
  readonly isRemembered: boolean;
  /** The first dialect whose feed exists but could not be read and was skipped. */
  readonly passedOver?: string;
}

interface Candidate {
  readonly name: string;
  readonly reader: FeedReader;
  readonly ports: ReaderPorts;
}

/**
 * What a URL offers. If a dialect was requested, is recognized by the URL, or was read there before, only that one is looked for. Otherwise all are
 * tried one after another until something is found. A broken feed is skipped if the site itself can be read.
 */
export async function findOffer({ dialect, ...question }: OfferQuestion, reading: Reading): Promise<FoundOffer> {
  const { site } = reading;
  const all = site === undefined ? reading.dialects : [...reading.dialects, site];
  const named = dialect === undefined ? undefined : ensureNamed(all, dialect);
  const candidates = await candidatesAmong(named === undefined ? all : [named], reading);
  const only = named === undefined ? await obviousAmong(candidates, question.url) : undefined;
  const asked = { ...question, isNamed: named !== undefined };
  const isChoice = site !== undefined && named === undefined && only === undefined;
  const reasons: TidingsError[] = [];
  const broken: { readonly name: string; readonly reason: string }[] = [];
  for (const { name, reader, ports } of only === undefined ? candidates : [only]) {
    const found = await (isChoice ? orBroken(reader.discover(asked, ports)) : reader.discover(asked, ports));
    if (!('nothing' in found)) {
      for (const { reason } of broken) warn(reading, 'passed-over', `${reason}. Followed instead: ${reader.noun}.`);
      const isRecognized = only?.isRecognized ?? false;
      const isRemembered = only !== undefined && !isRecognized;
      const [passed] = broken;
      return { dialect: name, offer: found, isRecognized, isRemembered, ...(passed && { passedOver: passed.name }) };
    }
    reasons.push(found.nothing);
    if ('isBroken' in found) broken.push({ name, reason: reasonOf(found.nothing) });
  }
  throw nothingAt(question.url, reasons);
}

interface BrokenOffer extends NoOffer {
  readonly isBroken: true;
}

/** Recognizes a feed that exists but cannot be read. A host that does not answer or asks for a pause does not count. */
async function orBroken(found: Promise<FeedOffer | NoOffer>): Promise<FeedOffer | NoOffer | BrokenOffer> {
  try {
    return await found;
  } catch (error) {
    const isBroken = error instanceof FeedUnreadableError && error.retryAfterMs === undefined;
    if (isBroken) return { nothing: error, isBroken };
    throw error;
  }
}

function ensureNamed(dialects: readonly Dialect[], name: string): Dialect {
  const found = dialectNamed(dialects, name);
  if (found !== undefined) return found;
  throw followRefusedError(`${JSON.stringify(name)} is no format that can be followed.`);
}

async function candidatesAmong(dialects: readonly Dialect[], reading: Reading): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { name, reader } of await readersOf(dialects)) {
    const remembered = rememberedIn(reading.state, { dialect: name });
    candidates.push({ name, reader, ports: { ...reading, remembered } });
  }
  return candidates;
}

interface ObviousCandidate extends Candidate {
  readonly isRecognized: boolean;
}

async function obviousAmong(candidates: readonly Candidate[], url: URL): Promise<ObviousCandidate | undefined> {
  const recognized = candidates.find(({ reader }) => reader.recognizes?.(url));
  if (recognized !== undefined) return { ...recognized, isRecognized: true };
  for (const candidate of candidates) {
    for (const entry of candidate.reader.entriesAt(url)) {
      const known = await candidate.ports.remembered.memoryOf(entry);
      if (known !== undefined) return { ...candidate, isRecognized: false };
    }
  }
  return undefined;
}

function nothingAt(given: URL, reasons: readonly TidingsError[]): TidingsError {
  const [only] = reasons;
  if (only !== undefined && reasons.length === 1) return only;
  const statuses = reasons.map((reason) => (reason instanceof FeedUnreadableError ? reason.status : undefined));
  const said = reasons.map((reason) => `${reasonOf(reason)}.`).join(' ');
  return new FeedUnreadableError(given.href, `offers nothing to follow. ${said}`, {
    ...(statuses.every((status) => status !== undefined) && { status: 404 }),
  });
}
