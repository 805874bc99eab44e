import type { LivePage, LivePageRequest, LivePages } from '../crawl/live-page.ts';
import {
  AccessDeniedError,
  HostPausedError,
  PageGoneError,
  PageStatusError,
  RobotsDeniedError,
} from '../errors/crawl-error.ts';
import { AddressRefusedError, FetchAbortedError, FetchError } from '../errors/fetch-error.ts';
import { extractPage } from '../extract/extract-page.ts';
import { NO_RULES } from '../extract/rules/reading-rules.ts';
import type { Page } from '../model/page.ts';
import type { FollowRules } from './follow-rules.ts';
import type { Reading } from './reading.ts';

export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly page: Page;
      /** The anchors of its sections that the rules leave out. */
      readonly leftOut?: ReadonlySet<string>;
      /** It has no element that the only-these-parts rules name, or has a section of that name. */
      readonly isElsewhere?: boolean;
    }
  /** The content is unavailable: the page is gone, or its site denies us access. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** Nothing was learned about the page. `asked` is false if its host has asked for a pause. */
  | { readonly kind: 'failed'; readonly reason: string; readonly asked: boolean };

export type PageReader = (url: string) => Promise<PageOutcome>;

/** The longest wait of a page for its turn; after a longer pause the next poll reads it. */
const MAX_WAIT_MS = 30_000;

/** Reads pages for one poll. A page that failed is not requested again in it; nothing is kept of the others. */
export function createPageReader(reading: Reading): PageReader {
  const failed = new Map<string, PageOutcome>();
  return async (url) => {
    const before = failed.get(url);
    if (before !== undefined) return before;
    const outcome = await readPage(url, reading);
    if (outcome.kind !== 'page') failed.set(url, outcome);
    return outcome;
  };
}

async function readPage(url: string, { pages, signal, rules }: Reading): Promise<PageOutcome> {
  try {
    return outcomeOf(await readLive(pages, { url: new URL(url), signal, maxWaitMs: MAX_WAIT_MS }), rules);
  } catch (error) {
    if (!(error instanceof FetchError) || error instanceof FetchAbortedError) throw error;
    const isFinal = error instanceof PageGoneError || (error instanceof RobotsDeniedError && !error.retryAfterMs);
    if (isFinal) return { kind: 'unavailable', reason: reasonOf(error) };
    return { kind: 'failed', reason: reasonOf(error), asked: !(error instanceof HostPausedError) };
  }
}

async function readLive(pages: LivePages, request: LivePageRequest): Promise<LivePage> {
  const page = await pages.read(request);
  if (page.kind === 'page') return page;
  throw new Error(`${page.url.href} answered 304 to a request without conditions`);
}

/** The publisher names the page, so the message does not ask the user to fix or allow its URL. */
function reasonOf(error: FetchError): string {
  const isStatus =
    error instanceof PageGoneError || error instanceof PageStatusError || error instanceof AccessDeniedError;
  if (isStatus) return `the page answered with status ${error.status}`;
  if (!(error instanceof AddressRefusedError)) return error.message;
  return `${error.url.host} was not asked: ${error.address} is not a public address`;
}

function outcomeOf({ mediaType, text, url }: LivePage, rules: FollowRules = NO_RULES): PageOutcome {
  if (mediaType === 'text/plain' || mediaType === 'text/markdown') {
    return { kind: 'failed', reason: `the page is ${mediaType}, not HTML`, asked: true };
  }
  const { page, leftOut, isElsewhere } = readByRules(text, url.href, rules);
  if (page.markdown.trim() === '' && leftOut.size === 0) {
    return { kind: 'failed', reason: 'the page has no content', asked: true };
  }
  return { kind: 'page', page, leftOut, isElsewhere };
}

interface ReadByRules {
  readonly page: Page;
  readonly leftOut: ReadonlySet<string>;
  readonly isElsewhere: boolean;
}

/** Relative links start at the final URL of the page, after redirects. */
function readByRules(html: string, url: string, rules: FollowRules): ReadByRules {
  const { ignore, only, sections } = rules;
  if (ignore.length + only.length === 0) {
    return { page: extractPage(html, url, rules), leftOut: new Set(), isElsewhere: true };
  }
  const whole = extractPage(html, url);
  const reading = sections?.readingOf(whole) ?? rules;
  const page = extractPage(html, url, reading);
  const kept = new Set(page.sections.map(({ anchor }) => anchor));
  const leftOut = whole.sections.map(({ anchor }) => anchor).filter((anchor) => !kept.has(anchor));
  return {
    page,
    leftOut: new Set(leftOut),
    isElsewhere: reading === sections?.withoutIds || page.isUnmatched === true,
  };
}
