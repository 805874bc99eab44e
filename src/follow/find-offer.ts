import type { Dialect } from '../dialects/dialect.ts';
import { dialectNamed, readersOf } from '../dialects/feed-readers.ts';
import { reasonOf } from '../dialects/no-offer.ts';
import type { FeedOffer, FeedQuestion, FeedReader, ReaderPorts } from '../dialects/reader.ts';
import { FeedUnreadableError } from '../errors/feed-error.ts';
import { followRefusedError } from '../errors/refusals.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import type { Reading } from './reading.ts';
import { rememberedIn } from './remembered.ts';

export interface OfferQuestion extends Omit<FeedQuestion, 'isNamed'> {
  /** The only one that is looked for. */
  readonly dialect?: string | undefined;
}

export interface FoundOffer {
  readonly dialect: string;
  readonly offer: FeedOffer;
}

interface Candidate {
  readonly name: string;
  readonly reader: FeedReader;
  readonly ports: ReaderPorts;
}

/**
 * What a URL offers. A dialect that was asked for, that the address tells or that was read there before is the only one looked
 * for; else all of them, one after another, until something is found.
 */
export async function findOffer({ dialect, ...question }: OfferQuestion, reading: Reading): Promise<FoundOffer> {
  const named = dialect === undefined ? undefined : ensureNamed(reading.dialects, dialect);
  const candidates = await candidatesAmong(named === undefined ? reading.dialects : [named], reading);
  const only = named === undefined ? await obviousAmong(candidates, question.url) : undefined;
  const reasons: TidingsError[] = [];
  for (const { name, reader, ports } of only === undefined ? candidates : [only]) {
    const found = await reader.discover({ ...question, isNamed: named !== undefined }, ports);
    if (!('nothing' in found)) return { dialect: name, offer: found };
    reasons.push(found.nothing);
  }
  throw nothingAt(question.url, reasons);
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

async function obviousAmong(candidates: readonly Candidate[], url: URL): Promise<Candidate | undefined> {
  const recognized = candidates.find(({ reader }) => reader.recognizes?.(url));
  if (recognized !== undefined) return recognized;
  for (const candidate of candidates) {
    for (const entry of candidate.reader.entriesAt(url)) {
      if ((await candidate.ports.remembered.memoryOf(entry)) !== undefined) return candidate;
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
