/** What a page asks for while it is rendered: answered by the guarded client, within limits, or not at all. */

import type { Request, Route } from 'playwright-core';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { RobotsDeniedError } from '../../errors/crawl-error.ts';
import type { HttpClient, HttpHeaders } from '../../fetch/http-client.ts';
import { readBytes } from '../../fetch/read-text.ts';
import { createSemaphore } from '../../fetch/semaphore.ts';
import { mayBeRead, passedHeaders } from './headers.ts';

export interface SubrequestRules {
  readonly http: HttpClient;
  /** What robots.txt says, also of each URL that a redirect leads to. */
  readonly mayFetch: (url: URL) => Promise<boolean>;
  readonly maxRequests: number;
  readonly maxTotalBytes: number;
  /** Called when the page requests so much more than it gets that it only keeps us busy. */
  readonly onFlood: () => void;
}

export interface Subrequests {
  answer(route: Route): Promise<void>;
  /** Resolves when nothing was asked for and nothing was under way for `quietMs`. */
  quiet(quietMs: number): Promise<void>;
  /** Ends what is under way, and refuses what comes later. */
  stop(): void;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const AT_ONCE = 6;
/** Times what is answered. */
const FLOOD_FACTOR = 10;
const PAUSE_ASKED = [429, 503];

/** One transparent pixel: a page whose images fail may remove them, or ask for others. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const WANTED = ['document', 'script', 'stylesheet', 'xhr', 'fetch', 'other'];

export function createSubrequests(pageUrl: URL, rules: SubrequestRules): Subrequests {
  const stopped = new AbortController();
  const nothing = nothingOn(stopped.signal);
  const slots = createSemaphore(AT_ONCE);
  const paused = new Set<string>();
  const traffic = createTraffic();
  let asked = 0;
  let sent = 0;
  let totalBytes = 0;

  const fetched = async (request: Request): Promise<Answer | undefined> => {
    const url = new URL(request.url());
    sent += 1;
    if (sent > rules.maxRequests) return undefined;
    const turn = await slots.take();
    try {
      if (stopped.signal.aborted || totalBytes >= rules.maxTotalBytes || paused.has(url.origin)) return undefined;
      const response = await rules.http.get({
        url,
        headers: sentHeaders(request),
        maxBodyBytes: Math.min(MAX_BODY_BYTES, rules.maxTotalBytes - totalBytes),
        signal: stopped.signal,
        async beforeHop(hop) {
          if (!(await rules.mayFetch(hop))) throw new RobotsDeniedError(hop, 'its robots.txt forbids it');
        },
      });
      const body = await readBytes(response, { maxBytes: MAX_BODY_BYTES });
      totalBytes += body.length;
      if (PAUSE_ASKED.includes(response.status)) paused.add(url.origin);
      if (!mayBeRead({ pageUrl, askedUrl: url, kind: request.resourceType(), response })) return undefined;
      return { status: response.status, headers: passedHeaders(response.headers), body: Buffer.from(body) };
    } finally {
      turn();
    }
  };

  return {
    quiet: traffic.quiet,
    stop: () => stopped.abort(),
    async answer(route) {
      const request = route.request();
      asked += 1;
      if (asked > FLOOD_FACTOR * rules.maxRequests) rules.onFlood();
      if (request.resourceType() === 'image')
        return route.fulfill({ status: 200, contentType: 'image/gif', body: PIXEL });
      if (!isWanted(request, pageUrl)) return route.abort('blockedbyclient');
      const over = traffic.begin();
      try {
        const answer = await Promise.race([fetched(request), nothing]);
        await (answer === undefined ? route.abort('blockedbyclient') : route.fulfill(answer));
      } catch {
        // A subrequest that fails is the page's business, as in any browser.
        await route.abort('failed');
      } finally {
        over();
      }
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Frames of other origins are left out: nothing of them is part of the page. */
function isWanted(request: Request, pageUrl: URL): boolean {
  const kind = request.resourceType();
  if (request.method() !== 'GET' || !WANTED.includes(kind) || !canParseUrl(request.url())) return false;
  const url = new URL(request.url());
  if (kind === 'document' && url.origin !== pageUrl.origin) return false;
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** A cross-origin request has to name its origin, or it gets no permission to read the answer. Nothing else is sent. */
function sentHeaders(request: Request): HttpHeaders {
  const { accept = '*/*', origin } = request.headers();
  return { accept, ...(origin !== undefined && { origin }) };
}

function nothingOn(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

interface Traffic {
  /** Returns the call that ends it. */
  begin(): () => void;
  quiet(quietMs: number): Promise<void>;
}

function createTraffic(): Traffic {
  let open = 0;
  let onChange = () => {};
  const change = (by: number) => {
    open += by;
    onChange();
  };
  return {
    begin() {
      change(1);
      return () => change(-1);
    },
    quiet: (quietMs) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        onChange = () => {
          clearTimeout(timer);
          if (open === 0) timer = setTimeout(resolve, quietMs);
        };
        onChange();
      }),
  };
}
