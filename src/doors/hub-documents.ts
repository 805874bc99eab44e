import type { AIDocument } from '../codecs/aidocument/wire.ts';
import type { DocumentCache } from '../crawl/document-cache.ts';
import { readCachedDocument } from '../crawl/read-document.ts';
import { pageUrl } from '../crawl/site-address.ts';
import { EmptyPageError, PageGoneError } from '../errors/crawl-error.ts';
import { FolderError } from '../errors/folder-error.ts';
import { decodeHtml } from '../extract/decode-html.ts';
import { readPageDocument } from '../extract/document/read-page.ts';
import { COOLDOWN_MS } from '../fetch/polite-client.ts';
import { userAgentOf } from '../fetch/user-agent.ts';
import type { FolderConfig } from '../hub/config/source-config.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
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
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 20_000;

/** AIDocuments of the live web, through the hub's own way out and its cache. */
export function createDocumentReader({ ways, cache, botUrl, onDiagnostic }: HubDocumentsOptions) {
  return (url: URL, { refresh, signal }: DocumentRequest): Promise<AIDocument> =>
    readCachedDocument(
      { url, refresh, timeoutMs: TIMEOUT_MS, maxWaitMs: Math.max(TIMEOUT_MS, COOLDOWN_MS), signal },
      {
        pages: { read: (request) => readInTime(ways.pages, request, TIMEOUT_MS) },
        cache,
        renderer: undefined,
        userAgent: userAgentOf(botUrl),
        now: Date.now,
        onDiagnostic,
      },
    );
}

/** The document of a page that a folder source has; throws a {@link PageGoneError} where the folder has none. */
export async function readFolderPage({ path, site, cleanUrls = false }: FolderConfig, url: URL): Promise<AIDocument> {
  const built = createFileBuiltSite(path);
  const base = new URL(site);
  // Only what the folder lists is a page of it: no hidden file, no link that leads out.
  const file = built.list().paths.find((listed) => pageUrl(base, listed, { cleanUrls }) === url.href);
  if (file === undefined) throw new PageGoneError(url, 404);
  const html = decodeHtml(built.read(file));
  if (!html.ok) throw new FolderError(file, `it is no page that can be read: ${html.issues[0].message}`);
  const document = readPageDocument(html.value, url.href);
  if (document.content.markdown.trim() === '') throw new EmptyPageError(url, 'There is no text in the file.');
  return document;
}
