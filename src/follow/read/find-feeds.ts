import { discover, discoveryCandidates, type Entry } from '../../dialects/aicf/read/discover.ts';
import type { Access } from '../../dialects/diffdelta/read/diffdelta-access.ts';
import {
  isDiffDeltaName,
  manifestCandidates,
  namedFeed,
  type Service,
  type ServiceQuestion,
  serviceAt,
  serviceOfManifest,
} from '../../dialects/diffdelta/read/diffdelta-service.ts';
import { FeedUnreadableError } from '../../errors/feed-error.ts';
import { BodyEncodingError, BodyTooLargeError } from '../../errors/fetch-error.ts';
import type { FollowState } from '../follow-state.ts';

export type Dialect = 'aicf' | 'diffdelta';

export interface FeedsQuestion extends ServiceQuestion {
  /** Asked for by the user. Absent: whatever there is. */
  readonly dialect: Dialect | undefined;
}

export type FoundFeeds =
  | { readonly dialect: 'aicf'; readonly entry: Entry }
  | { readonly dialect: 'diffdelta'; readonly service: Service };

/**
 * What a URL offers. A dialect that was asked for, that its name tells or that was read there before is the only one looked
 * for; else AICF first, and DiffDelta where there is none.
 */
export async function findFeeds(question: FeedsQuestion, access: Access): Promise<FoundFeeds> {
  const { given } = question;
  const { reading } = access;
  const named = isDiffDeltaName(given) ? 'diffdelta' : undefined;
  const dialect = question.dialect ?? named ?? (await knownDialect(given, reading.state));
  if (dialect === 'aicf') return { dialect, entry: await discover(given, reading) };
  if (dialect === 'diffdelta') return { dialect, service: await ensureService(question, access) };

  const found = await discoverOrNot(given, access);
  if (!(found instanceof Error)) return { dialect: 'aicf', entry: found };
  const service = await findService(question, access);
  if (service instanceof Error) throw nothingAt(given, [found, service]);
  return { dialect: 'diffdelta', service };
}

async function knownDialect(given: URL, state: FollowState): Promise<Dialect | undefined> {
  for (const url of [...discoveryCandidates(given), given.href]) {
    const known = await state.find(url);
    if (known !== undefined) return known.diffdelta === undefined ? 'aicf' : 'diffdelta';
  }
  for (const url of manifestCandidates(given)) if ((await state.find(url)) !== undefined) return 'diffdelta';
  return undefined;
}

/** The entry of an AI Changefeed, or why there is none. What may pass is thrown. */
async function discoverOrNot(given: URL, { reading }: Access): Promise<Entry | Error> {
  try {
    return await discover(given, reading);
  } catch (error) {
    if (isNothing(error)) return error;
    throw error;
  }
}

async function ensureService(question: FeedsQuestion, access: Access): Promise<Service> {
  const service = await findService(question, access);
  if (service instanceof Error) throw nothingAt(question.given, [service]);
  return service;
}

async function findService(question: ServiceQuestion, access: Access): Promise<Service | Error> {
  const { given } = question;
  const candidates = manifestCandidates(given);
  const named = namedFeed(given) ?? (await readNamed(question, candidates, access));
  if (named !== undefined) return named;
  const tried: string[] = [];
  for (const url of candidates) {
    try {
      const service = await serviceOfManifest(url, question, access);
      if (service !== undefined) return service;
      tried.push(`there is no manifest at ${url}`);
    } catch (error) {
      if (!isNothing(error)) throw error;
      tried.push(reasonOf(error));
    }
  }
  return new FeedUnreadableError(given.href, `offers no DiffDelta: ${tried.join('; ')}.`, { status: 404 });
}

/** The URL itself, where it is no mere site: a feed may have a name of its own. */
async function readNamed(
  question: ServiceQuestion,
  candidates: readonly string[],
  access: Access,
): Promise<Service | undefined> {
  const { given } = question;
  if (given.pathname === '/' || candidates.includes(given.href)) return undefined;
  for (const url of candidates) if ((await access.reading.state.find(url)) !== undefined) return undefined;
  try {
    return await serviceAt(question, access);
  } catch (error) {
    if (error instanceof FeedUnreadableError && error.retryAfterMs === undefined) return undefined;
    throw error;
  }
}

/** Nothing at that place, or something else than was looked for. */
function isNothing(error: unknown): error is Error {
  if (error instanceof BodyTooLargeError || error instanceof BodyEncodingError) return true;
  if (!(error instanceof FeedUnreadableError)) return false;
  return error.status === undefined || error.status === 404 || error.status === 410;
}

function nothingAt(given: URL, reasons: readonly Error[]): Error {
  const [only] = reasons;
  if (only !== undefined && reasons.length === 1) return only;
  const statuses = reasons.map((reason) => (reason instanceof FeedUnreadableError ? reason.status : undefined));
  const said = reasons.map((reason) => `${reasonOf(reason)}.`).join(' ');
  return new FeedUnreadableError(given.href, `offers nothing to follow. ${said}`, {
    ...(statuses.every((status) => status !== undefined) && { status: 404 }),
  });
}

function reasonOf(error: Error): string {
  const reason = error instanceof FeedUnreadableError ? `${error.url} ${error.what}` : error.message;
  return reason.replace(/\.$/, '');
}
