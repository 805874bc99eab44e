import type { AIDocument } from '../codecs/aidocument/wire.ts';
import type { DocumentCache } from '../crawl/document-cache.ts';
import { readCachedDocument } from '../crawl/read-document.ts';
import { pagePaths } from '../crawl/site-address.ts';
import { EmptyPageError, PageGoneError } from '../errors/crawl-error.ts';
import { FolderError } from '../errors/folder-error.ts';
import { decodeHtml } from '../extract/decode-html.ts';
import { readRuledPage } from '../extract/document/read-page.ts';
import { createReadingRules, type ReadingRules } from '../extract/rules/reading-rules.ts';
import type { Asker } from '../fetch/asker.ts';
import { userAgentOf } from '../fetch/user-agent.ts';
import type { FolderConfig } from '../hub/config/source-config.ts';
import { lookUpPage } from '../io/files/page-lookup.ts';
import { givingWay } from './giving-way.ts';
import type { PoliteWays } from './open-http.ts';
import { readInTime } from './read-in-time.ts';

export interface HubDocumentsOptions {
  readonly ways: PoliteWays;
  readonly cache: DocumentCache;
  readonly botUrl?: string;
  readonly onDiagnostic: (message: string) => void;
}

interface DocumentRequest {
  readonly refresh: boolean;
  /** The rules of the source of the page. */
  readonly rules: ReadingRules;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 20_000;
/** The maximum wait for a turn at the host: the checks of the hub's own sources go first. */
const MAX_WAIT_MS = 5000;

/** The asker for readers of documents. It owns no host: a pause that a host asks for here does not affect any source. */
const READERS: Asker = { name: 'doc', isOwn: () => false };

/** AIDocuments of the live web, through the HTTP client and the cache of the hub. */
export function createDocumentReader({ ways, cache, botUrl, onDiagnostic }: HubDocumentsOptions) {
  const { pages, pageTerms: terms } = ways.of(READERS);
  return (url: URL, { refresh, rules, signal }: DocumentRequest): Promise<AIDocument> =>
    givingWay(() =>
      readCachedDocument(
        { url, refresh, timeoutMs: TIMEOUT_MS, maxWaitMs: MAX_WAIT_MS, signal },
        {
          pages: { read: (request) => readInTime(pages, { ...request, yields: true }, TIMEOUT_MS) },
          cache,
          terms,
          rules,
          renderer: undefined,
          userAgent: userAgentOf(botUrl),
          now: Date.now,
          onDiagnostic,
        },
      ),
    );
}

/** The document of a page in a folder source. Throws a {@link PageGoneError} if the folder does not have it. */
export async function readFolderPage(source: FolderConfig, url: URL): Promise<AIDocument> {
  const { path, site, cleanUrls = false } = source;
  const rules = createReadingRules(source);
  const paths = rules.accepts(url.href) ? pagePaths(new URL(site), url.href, { cleanUrls }) : [];
  const page = lookUpPage(path, paths);
  if (page === undefined) throw new PageGoneError(url, 404);
  const html = decodeHtml(page.bytes);
  if (!html.ok) throw new FolderError(page.path, `it is no page that can be read: ${html.issues[0].message}`);
  const document = readRuledPage(html.value, url.href, { rules });
  if (document.content.markdown.trim() === '') throw new EmptyPageError(url, 'There is no text in the file.');
  return document;
}
