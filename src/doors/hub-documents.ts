import type { AIDocument } from '../codecs/aidocument/wire.ts';
import type { DocumentCache } from '../crawl/document-cache.ts';
import { readCachedDocument } from '../crawl/read-document.ts';
import { pagePaths } from '../crawl/site-address.ts';
import { EmptyPageError, PageGoneError } from '../errors/crawl-error.ts';
import { FolderError } from '../errors/folder-error.ts';
import { decodeHtml } from '../extract/decode-html.ts';
import { readPageDocument } from '../extract/document/read-page.ts';
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
  /** Those of the source whose page it is. */
  readonly rules: ReadingRules;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 20_000;
/** For a turn at the host: the checks of the hub's own sources go first. */
const MAX_WAIT_MS = 5000;

/** The asker that readers of documents are. No host is its own: what one says to strangers keeps no source from it. */
const READERS: Asker = { name: 'doc', isOwn: () => false };

/** AIDocuments of the live web, through the hub's own way out and its cache. */
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

/** The document of a page that a folder source has; throws a {@link PageGoneError} where the folder has none. */
export async function readFolderPage(source: FolderConfig, url: URL): Promise<AIDocument> {
  const { path, site, cleanUrls = false } = source;
  const rules = createReadingRules(source);
  const paths = rules.accepts(url.href) ? pagePaths(new URL(site), url.href, { cleanUrls }) : [];
  const page = lookUpPage(path, paths);
  if (page === undefined) throw new PageGoneError(url, 404);
  const html = decodeHtml(page.bytes);
  if (!html.ok) throw new FolderError(page.path, `it is no page that can be read: ${html.issues[0].message}`);
  const document = readPageDocument(html.value, url.href, { rules });
  if (document.content.markdown.trim() === '') throw new EmptyPageError(url, 'There is no text in the file.');
  return document;
}
