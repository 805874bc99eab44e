import type { ResourceSyncPart } from '../../../codecs/resourcesync/document-reading.ts';
import { type ReadResourceSyncOptions, readResourceSync } from '../../../codecs/resourcesync/read-resourcesync.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';
import type { HttpClient, HttpResponse } from '../../../fetch/http-client.ts';
import { conditionalHeaders, type Validators, validatorsOf } from '../../../fetch/response-headers.ts';
import { isOnSite } from '../../../fetch/same-site.ts';
import { type UnpackPorts, unpacked } from './unpacked.ts';

export interface DocumentPorts extends UnpackPorts {
  readonly http: HttpClient;
  readonly signal: AbortSignal;
  /** The sites that documents may be on. Other addresses are not requested. */
  readonly sites: readonly URL[];
  readonly limits: DocumentLimits;
  /** Throws when no time is left. */
  readonly ensureTime: (url: string) => void;
}

/** Limits for one document and one collection. */
export interface DocumentLimits {
  /** The unpacked size. */
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** For the whole exchange. */
  readonly deadlineMs: number;
  /** For one collection at once. Only new changes are held in memory. */
  readonly maxNewChanges: number;
}

export const DOCUMENT_LIMITS: DocumentLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxEntries: 250_000,
  deadlineMs: 120_000,
  maxNewChanges: 500_000,
};

/** A refusal is not a part: it is thrown as a {@link HarvestError}. */
export type DocumentPart = Exclude<ResourceSyncPart, { readonly kind: 'refused' }>;

export type OpenedDocument =
  | { readonly is: 'unchanged' }
  | {
      readonly is: 'open';
      /** Read them to their end. They throw if the document turns out to be invalid, however late. */
      readonly parts: AsyncGenerator<DocumentPart, void>;
      readonly validators: Validators;
    };

const ACCEPT = 'application/xml, text/xml;q=0.9, */*;q=0.5';
const FOREIGN = 'RESOURCESYNC-SITE';

/** Requests a ResourceSync document. Its media type is ignored, because static hosts do not know it (T-RS-13). */
export async function openDocument(
  url: string,
  expected: Pick<ReadResourceSyncOptions, 'capability' | 'isIndex'>,
  ports: DocumentPorts,
  validators: Validators = {},
): Promise<OpenedDocument> {
  ports.ensureTime(url);
  const response = await fetchOnSite(url, { accept: ACCEPT, ...conditionalHeaders(validators) }, ports.limits, ports);
  if (response.status === 304) {
    await response.discard();
    if (Object.keys(validators).length > 0) return { is: 'unchanged' };
    throw new HarvestError(url, 'HTTP-304', 'It says that nothing changed, although nobody asked whether it had.');
  }
  if (response.status !== 200) {
    await response.discard();
    throw new HarvestError(url, `HTTP-${response.status}`, `It answered with status ${response.status}.`);
  }
  return { is: 'open', parts: partsOf(url, response, expected, ports), validators: validatorsOf(response.headers) };
}

/** Every hop of a redirect must be on the site, too. */
export async function fetchOnSite(
  url: string,
  headers: Readonly<Record<string, string>>,
  { maxBytes, deadlineMs }: Pick<DocumentLimits, 'maxBytes' | 'deadlineMs'>,
  { http, signal, sites }: Pick<DocumentPorts, 'http' | 'signal' | 'sites'>,
): Promise<HttpResponse> {
  return await http.get({
    url: new URL(url),
    headers,
    maxBodyBytes: maxBytes,
    deadlineMs,
    signal,
    beforeHop: async (hop) => ensureOnSite(url, hop, sites),
  });
}

/** Throws a {@link HarvestError} if the way to `url` leads to another site. */
export function ensureOnSite(url: string, hop: URL, sites: readonly URL[]): void {
  if (!isOnSite(hop.href, sites)) throw foreign(url, hop);
}

async function* partsOf(
  url: string,
  response: HttpResponse,
  expected: Pick<ReadResourceSyncOptions, 'capability' | 'isIndex'>,
  ports: DocumentPorts,
): AsyncGenerator<DocumentPart, void> {
  const stream = unpacked(url, response.body, ports);
  const { maxBytes, maxEntries } = ports.limits;
  for await (const part of readResourceSync(stream, { ...expected, maxBytes, maxEntries })) {
    if (part.kind !== 'refused') yield part;
    else throw new HarvestError(url, part.issue.clause, `Line ${part.issue.line}: ${part.issue.message}`);
  }
}

function foreign(url: string, hop: URL): HarvestError {
  const what = hop.href === new URL(url).href ? 'It is on another site.' : `It leads to another site, ${hop.host}.`;
  return new HarvestError(url, FOREIGN, `${what} Documents of others are not read for a site.`);
}
