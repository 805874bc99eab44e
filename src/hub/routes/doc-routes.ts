import type { AIDocument } from '../../codecs/aidocument/wire.ts';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { createReadingRules, type ReadingRules } from '../../extract/rules/reading-rules.ts';
import { webUrl } from '../config/setting-addresses.ts';
import { type Decode, refused } from '../config/setting-decoders.ts';
import type { FolderConfig, SourceConfig } from '../config/source-config.ts';
import { preferredMedia } from '../http/accept-media.ts';
import { answerArtifact, type ServedArtifact } from '../http/answer-artifact.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { slots } from '../http/slots.ts';
import { smallArtifact } from '../http/small-answer.ts';
import type { Watch } from '../watch/watch-port.ts';
import { DocumentLine, type LineOptions } from './document-line.ts';
import { folderOfUrl, type SourceScope, sourceOfUrl } from './document-scope.ts';
import { queryFields } from './query-fields.ts';

export interface DocParts {
  readonly watch: Pick<Watch, 'sources'>;
  readonly scope: SourceScope;
  /** The client under which the requests of the caller are counted. */
  clientOf(request: HubRequest): string;
  readonly wait: LineOptions['wait'];
  /** From the web, or from the cache if that is fresh. Throws what the origin gave instead of a page. */
  readDocument(
    url: URL,
    options: { readonly refresh: boolean; readonly rules: ReadingRules; readonly signal: AbortSignal },
  ): Promise<AIDocument>;
  /** Throws a {@link PageGoneError} if the folder has no such page. */
  readFolderPage(source: FolderConfig, url: URL): Promise<AIDocument>;
}

const DOCUMENTS_AT_ONCE = 8;
/** For everybody but the admin, who has separate slots. */
const PUBLIC_LINE = { atOnce: DOCUMENTS_AT_ONCE, ofClient: 4, inLine: 32, waitMs: 5000 };
const DOCUMENT_TYPE = 'application/json';
const MARKDOWN_TYPE = 'text/markdown';
const TYPES = [DOCUMENT_TYPE, MARKDOWN_TYPE] as const;
const MARKDOWN = `${MARKDOWN_TYPE}; charset=utf-8`;
const BY_ACCEPT = { vary: 'accept' };

const onlyOne: Decode<true> = (value, at) => {
  if (value === '1') return true;
  throw refused(at, value, 'Give 1, or leave it out.');
};

/** Pages as AIDocuments: for everybody the pages of the sources (of a feed, those it has reported), for the admin any page of the web. */
export function docRoutes(parts: DocParts): Route[] {
  const inSlot = slots(DOCUMENTS_AT_ONCE, 'documents are read');
  const line = new DocumentLine({ ...PUBLIC_LINE, wait: parts.wait });
  const inTurn: InTurn = (request, work) =>
    request.isAdmin ? inSlot(work) : line.run(parts.clientOf(request), request, work);
  return [
    {
      method: 'GET',
      path: '/doc',
      access: 'public-or-admin',
      cors: true,
      summary:
        'A page as an AIDocument, or as Markdown if the client accepts text/markdown. Without the token: only pages of watched sources, and no refresh.',
      parameters: [
        {
          name: 'url',
          in: 'query',
          required: true,
          description: 'The absolute http(s) address of the page.',
          schema: { type: 'string', format: 'uri', maxLength: 2048 },
        },
        {
          name: 'refresh',
          in: 'query',
          description: 'Fetch the page even if a fresh copy is stored. Requires the token.',
          schema: { type: 'string', enum: ['1'] },
        },
      ],
      responses: {
        200: 'The document.',
        304: 'Not modified.',
        400: 'The url is missing, malformed, given twice, or not an http(s) address.',
        403: 'The page belongs to no watched source, is not public, or is disallowed by robots.txt.',
        404: 'The origin has no such page.',
        415: 'The address is not a page.',
        422: 'The page has no readable content.',
        502: 'The origin did not return the page.',
        503: 'The origin asked for a pause, the hub is already reading from its host, or too many documents are being read; see Retry-After.',
        504: 'The origin took too long.',
      },
      answer: {
        mediaType: DOCUMENT_TYPE,
        schema: { $ref: '#/components/schemas/AIDocument' },
        others: [{ mediaType: MARKDOWN, schema: { type: 'string' } }],
      },
      handle: withProblems((request) => answerDocument(request, parts, inTurn)),
    },
  ];
}

type InTurn = (request: HubRequest, work: () => Promise<HubResponse>) => Promise<HubResponse>;

async function answerDocument(request: HubRequest, parts: DocParts, inTurn: InTurn): Promise<HubResponse> {
  const { url: address, refresh = false } = queryFields({ url: pageUrl, refresh: onlyOne }, request.query);
  if (address === undefined) throw refused('url', undefined, 'Give the address of the page.');
  const url = new URL(address);
  const { isAdmin, signal } = request;
  const owner = await sourceOfUrl(url, configs(parts), parts.scope);
  if (!isAdmin && owner === undefined) return foreign();
  if (!isAdmin && refresh) return tokenOnly();

  return inTurn(request, async () => {
    const folder = owner ?? folderOfUrl(url, configs(parts));
    const document =
      folder?.kind === 'folder'
        ? await parts.readFolderPage(folder, url)
        : await parts.readDocument(url, { refresh, rules: createReadingRules(owner), signal });
    if (!isAdmin && !(await leadsHome(url, document, owner, parts))) return foreign();
    return answerArtifact(request, artifactOf(document, request.headers.accept));
  });
}

/** The whole document as JSON, or only its text if the client prefers Markdown. */
function artifactOf(document: AIDocument, accept: string | undefined): ServedArtifact {
  if (preferredMedia(accept, TYPES) === DOCUMENT_TYPE) {
    return smallArtifact(`${JSON.stringify(document)}\n`, DOCUMENT_TYPE, BY_ACCEPT);
  }
  return smallArtifact(`${document.content.markdown.trimEnd()}\n`, MARKDOWN, BY_ACCEPT);
}

/** The fragment is never sent. */
const pageUrl: Decode<string> = (value, at) =>
  webUrl(typeof value === 'string' ? value.replace(/#.*$/s, '') : value, at);

/** A page of a source may redirect anywhere, and the target need not belong to the source, unless the operator named that very page. */
async function leadsHome(
  asked: URL,
  { source }: AIDocument,
  owner: SourceConfig | undefined,
  parts: DocParts,
): Promise<boolean> {
  if (source.url === asked.href || owner?.kind === 'page') return true;
  if (!canParseUrl(source.url)) return false;
  return (await sourceOfUrl(new URL(source.url), configs(parts), parts.scope)) !== undefined;
}

function* configs({ watch }: DocParts) {
  for (const { config } of watch.sources()) yield config;
}

function foreign(): HubResponse {
  return problem({
    status: 403,
    detail: "Without the hub's token, only pages of the sources that it watches are read. This is none of them.",
  });
}

function tokenOnly(): HubResponse {
  return problem({ status: 403, detail: "Only who has the hub's token may have a page asked for anew (refresh)." });
}
