import type { AIDocument } from '../codecs/aidocument/wire.ts';
import { readCachedDocument as readThroughCache } from '../crawl/read-document.ts';
import type { Renderer } from '../crawl/renderer.ts';
import type { SiteTerms } from '../crawl/site-terms.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { COOLDOWN_MS } from '../fetch/polite-client.ts';
import { userAgentOf } from '../fetch/user-agent.ts';
import { ensureSandbox } from '../io/playwright/sandbox.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { openDocumentCache } from './open-document-cache.ts';
import { type HttpOptions, openPolite, type PoliteWays } from './open-http.ts';
import { publicPageUrl } from './public-page-url.ts';
import { readInTime } from './read-in-time.ts';

export interface ReadDocumentOptions extends HttpOptions, GivenRules {
  /** Ask the origin even if a fresh copy is cached. */
  readonly refresh?: boolean;
  /** Run the page's scripts first, with the system's Chromium. If that fails, the document is made from the page as it was sent. */
  readonly render?: boolean;
  /** The path of a Chromium. Default: found by its usual names. */
  readonly chromiumPath?: string;
  /** Also render as root, where Chromium has no sandbox. Without it, rendering as root is refused. */
  readonly allowUnsandboxedBrowser?: boolean;
  readonly signal?: AbortSignal;
  /** Called with remarks for a person that do not stop the call. */
  readonly onDiagnostic?: (diagnostic: { readonly message: string }) => void;
}

const TIMEOUT_MS = 20_000;

/**
 * The page at a URL as an AIDocument 2.0: main content as Markdown, headings, links, images, and its source.
 *
 * Fetches like a polite crawler, and makes no request while a fresh copy is in `cacheDir`. Without `cacheDir`, nothing is kept after this call. Throws a
 * {@link TidingsError} if the origin gives no page: an old copy is never returned instead.
 *
 * @example
 * const { cache, content } = await readDocument('https://docs.example/limits', { cacheDir: './cache' });
 * console.log(cache.status, content.markdown);
 */
export async function readDocument(url: string | URL, options: ReadDocumentOptions = {}): Promise<AIDocument> {
  const { refresh = false, render = false, timeoutMs = TIMEOUT_MS, signal, onDiagnostic } = options;
  const address = publicPageUrl(url);
  const rules = createReadingRules(options);
  if (render) ensureSandbox({ allowUnsandboxed: options.allowUnsandboxedBrowser });
  const say = (message: string) => onDiagnostic?.({ message });
  const { cache, isLasting } = await openDocumentCache(
    (await mayUseCache(address, options)) ? options.cacheDir : undefined,
    say,
  );
  await using _cache = cache;
  const { cacheDir: _, ...passing } = options;
  await using ways = openLater({ ...(isLasting ? options : passing), timeoutMs });
  return await readThroughCache(
    {
      url: address,
      refresh,
      timeoutMs,
      maxWaitMs: Math.max(timeoutMs, COOLDOWN_MS),
      signal: signal ?? new AbortController().signal,
    },
    {
      pages: { read: async (request) => readInTime((await ways.open()).pages, request, timeoutMs) },
      cache,
      terms: laterTerms(ways),
      renderer: render ? rendererOf(ways, options) : undefined,
      rules,
      userAgent: userAgentOf(options.botUrl),
      now: Date.now,
      onDiagnostic: say,
    },
  );
}

/** A cached copy from a call with `allowPrivate` is not used by a call without it. */
async function mayUseCache(
  { hostname }: URL,
  { allowPrivate = false, cacheDir }: ReadDocumentOptions,
): Promise<boolean> {
  if (allowPrivate || cacheDir === undefined) return true;
  const { isPrivateName } = await import('../io/dns/private-host.ts');
  return !isPrivateName(hostname);
}

interface LaterWays extends AsyncDisposable {
  open(): Promise<PoliteWays>;
}

/** A cache hit needs no HTTP client, and opening one costs more than the hit. */
function openLater(options: HttpOptions): LaterWays {
  let ways: Promise<PoliteWays> | undefined;
  return {
    open() {
      ways ??= openPolite(options);
      return ways;
    },
    async [Symbol.asyncDispose]() {
      const opened = await ways?.catch(() => undefined);
      await opened?.[Symbol.asyncDispose]();
    },
  };
}

/** A caller that asks for terms has fetched the page before, so the HTTP client is already open. */
function laterTerms(ways: LaterWays): Pick<SiteTerms, 'read' | 'renew'> {
  return {
    read: async (page, signal) => (await ways.open()).pageTerms.read(page, signal),
    renew: async (url, before, signal) => (await ways.open()).pageTerms.renew(url, before, signal),
  };
}

function rendererOf(ways: LaterWays, options: ReadDocumentOptions): Renderer {
  const { botUrl, chromiumPath, allowUnsandboxedBrowser: allowUnsandboxed } = options;
  return {
    async render(request) {
      // The resources of a page may come from any host. A pause that such a host asks for affects only this page.
      const { host } = request.url;
      const asker = { name: `page:${host}`, isOwn: (asked: string) => asked === host };
      const { http, mayFetch } = (await ways.open()).of(asker);
      const { createPlaywrightRenderer } = await import('../io/playwright/renderer.ts');
      const userAgent = userAgentOf(botUrl);
      await using renderer = createPlaywrightRenderer({ http, mayFetch, userAgent, chromiumPath, allowUnsandboxed });
      return await renderer.render(request);
    },
    async [Symbol.asyncDispose]() {},
  };
}
