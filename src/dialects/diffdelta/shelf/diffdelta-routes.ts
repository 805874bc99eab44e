import {
  DIFFDELTA_DISCOVERY_PATH,
  type DiffDeltaSources,
  FRESH_CACHE,
  GLOBAL_ID,
  IMMUTABLE_CACHE,
  MEDIA_TYPE,
  SCHEMA_PATH,
} from '../../../codecs/diffdelta/wire.ts';
import { answerArtifact, type ServedArtifact } from '../../../hub/http/answer-artifact.ts';
import { createDocumentAnswers } from '../../../hub/http/answer-document.ts';
import { goneDocument } from '../../../hub/http/gone-document.ts';
import { holdForASecond } from '../../../hub/http/held-artifact.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse, Route, RouteParameter } from '../../../hub/http/route.ts';
import { strongEtag } from '../../../hub/http/small-answer.ts';
import type { ShelfSource } from '../../shelf.ts';
import { discoveryOf } from '../runs/discovery.ts';
import { headPath, latestPath } from '../runs/feed-paths.ts';
import type { RunShelf } from './run-shelf.ts';

export interface DiffDeltaParts {
  readonly runs: Pick<RunShelf, 'find' | 'standingOf' | 'archive'>;
  readonly hub: {
    /** With a final slash. */
    baseUrl(): string;
    /** The watched sources, in order of id. */
    sources(): readonly ShelfSource[];
    isSource(id: string): boolean;
    readonly ttlSec: number;
    ttlSecOf(source: ShelfSource): number;
  };
  /** The text of our JSON Schema. */
  readonly schema: string;
  readonly now: () => number;
}

const RULES = { mediaType: MEDIA_TYPE, cacheControl: FRESH_CACHE, headers: { 'cdn-cache-control': FRESH_CACHE } };
const SOURCE_ID = /^[a-z0-9][a-z0-9_]*$/;
const RUN_ANSWERS = { 200: 'The document.', 304: 'Not modified.', 429: 'Too many requests.' };
const SOURCE_ANSWERS = { ...RUN_ANSWERS, 404: 'There is no such source.' };
const SOURCE_PARAMETER: RouteParameter = {
  name: 'source',
  in: 'path',
  required: true,
  description: 'The id of the source.',
  schema: { type: 'string', pattern: SOURCE_ID.source },
};

const ENDED = 'This archive is older than those that this hub keeps.';

const METERED = {
  method: 'GET',
  access: 'open',
  cors: true,
  isMetered: true,
  answer: { mediaType: MEDIA_TYPE },
} as const;

/** The routes of the DiffDelta feeds, which are rate-limited per client: heads, latest feeds, the list of sources and archives. */
export function diffDeltaFeedRoutes(parts: DiffDeltaParts): Route[] {
  const { runs, hub, now } = parts;
  const list = holdForASecond(() => runSourceList(runs, hub), now);
  return [
    ...runFileRoutes(parts),
    {
      ...METERED,
      path: '/diff/sources.json',
      summary: 'The sources and their status (DiffDelta).',
      responses: RUN_ANSWERS,
      handle: (request) => answerArtifact(request, list()),
    },
    {
      ...METERED,
      path: '/archive/:source/:year/:month/:day/:file',
      summary: 'An archived feed, as it was at a change (DiffDelta). It never changes.',
      parameters: ARCHIVE_PARAMETERS,
      responses: {
        200: 'The feed.',
        404: 'There is no such archive.',
        410: 'The archive is no longer kept; archives and changes name where its changes are.',
        429: 'Too many requests.',
      },
      handle: async ({ params: { source, year, month, day, file: name } }) => {
        const bytes = await runs.archive(`archive/${source}/${year}/${month}/${day}/${name}`);
        if (bytes === 'gone') return goneDocument(ENDED, hub.baseUrl());
        return bytes === undefined
          ? problem({ status: 404, detail: 'There is no such archive.' })
          : answerImmutable(bytes);
      },
    },
  ];
}

function runFileRoutes({ runs, hub, now }: DiffDeltaParts): Route[] {
  // No ranges are served, because these files are replaced as a whole (T-DD-7).
  const answerFile = createDocumentAnswers({ ...RULES, now });
  const file = (request: HubRequest, name: string, which: 'head' | 'latest') => {
    const version = SOURCE_ID.test(name) || name === GLOBAL_ID ? runs.find(name) : undefined;
    if (version !== undefined) return answerFile(request, version[which]);
    return name === GLOBAL_ID || hub.isSource(name) ? notYet() : unknownSource(name);
  };
  const ofSource = (path: string, summary: string, which: 'head' | 'latest'): Route => ({
    ...METERED,
    path,
    summary,
    parameters: [SOURCE_PARAMETER],
    responses: SOURCE_ANSWERS,
    handle: (request) => file(request, request.params.source ?? '', which),
  });
  const ofAll = (path: string, summary: string, which: 'head' | 'latest'): Route => ({
    ...METERED,
    path,
    summary,
    responses: RUN_ANSWERS,
    handle: (request) => file(request, GLOBAL_ID, which),
  });
  return [
    ofAll('/diff/head.json', 'Whether any source has new changes (DiffDelta).', 'head'),
    ofAll('/diff/latest.json', 'The latest changes of all sources (DiffDelta).', 'latest'),
    ofSource('/diff/:source/head.json', 'Whether a source has new changes (DiffDelta).', 'head'),
    ofSource('/diff/:source/latest.json', 'The latest changes of a source (DiffDelta).', 'latest'),
    ofSource('/diff/source/:source/head.json', 'Same as /diff/{source}/head.json, for existing clients.', 'head'),
    ofSource('/diff/source/:source/latest.json', 'Same as /diff/{source}/latest.json, for existing clients.', 'latest'),
  ];
}

/** The routes of the manifest and the schema. */
export function diffDeltaDocumentRoutes({ hub, schema, now }: DiffDeltaParts): Route[] {
  const idsOf = () => hub.sources().map(({ id }) => id);
  const manifest = holdForASecond(
    () =>
      jsonArtifact(
        discoveryOf({
          base: hub.baseUrl(),
          sources: idsOf(),
          ttlSec: hub.ttlSec,
          healthz: 'healthz.json',
          webhooks: true,
        }),
      ),
    now,
  );
  const schemaBytes = new TextEncoder().encode(schema);
  return [
    {
      method: 'GET',
      path: DIFFDELTA_DISCOVERY_PATH,
      access: 'open',
      cors: true,
      summary: 'The manifest: where the DiffDelta feeds are.',
      responses: { 200: 'The manifest.', 304: 'Not modified.' },
      answer: { mediaType: MEDIA_TYPE },
      handle: (request) => answerArtifact(request, manifest()),
    },
    {
      method: 'GET',
      path: SCHEMA_PATH,
      access: 'open',
      cors: true,
      summary: 'The JSON Schema of a DiffDelta feed.',
      responses: { 200: 'The schema.' },
      answer: { mediaType: MEDIA_TYPE },
      handle: () => answerImmutable(schemaBytes),
    },
  ];
}

/** The sources and their status. */
export function runSourceList(
  runs: Pick<DiffDeltaParts['runs'], 'standingOf'>,
  hub: Pick<DiffDeltaParts['hub'], 'baseUrl' | 'sources' | 'ttlSecOf'>,
): ServedArtifact {
  const root = new URL(hub.baseUrl()).pathname;
  const list: DiffDeltaSources = {
    sources: hub.sources().map((source) => {
      const { id, title, tags = [], paused, status } = source;
      return {
        source_id: id,
        name: title ?? id,
        tags,
        enabled: paused === undefined,
        status,
        cursor: runs.standingOf(id)?.cursor ?? null,
        ttl_sec: hub.ttlSecOf(source),
        head_url: headPath(id, root),
        latest_url: latestPath(id, root),
      };
    }),
  };
  return jsonArtifact(list);
}

export function jsonArtifact(value: unknown): ServedArtifact {
  const text = `${JSON.stringify(value)}\n`;
  return { ...RULES, etag: strongEtag(text), bytes: Buffer.from(text) };
}

/** Answers with a file that never changes. */
function answerImmutable(bytes: Uint8Array): HubResponse {
  const caching = { 'cache-control': IMMUTABLE_CACHE, 'cdn-cache-control': IMMUTABLE_CACHE };
  return {
    status: 200,
    headers: { ...caching, 'content-type': MEDIA_TYPE, 'content-length': String(bytes.length) },
    body: bytes,
  };
}

const ARCHIVE_PARAMETERS: readonly RouteParameter[] = [
  { ...SOURCE_PARAMETER, description: 'The id of the source, or `_global`.', schema: { type: 'string' } },
  ...['year', 'month', 'day', 'file'].map(
    (name): RouteParameter => ({
      name,
      in: 'path',
      required: true,
      description: 'The name of the archive, as in `archive_url` of the feed.',
      schema: { type: 'string' },
    }),
  ),
];

function unknownSource(id: string): HubResponse {
  return problem({ status: 404, detail: `No source is named ${JSON.stringify(id.slice(0, 80))}.` });
}

function notYet(): HubResponse {
  return problem(
    { status: 503, detail: 'The feed is not written yet. Ask again in a moment.' },
    { 'retry-after': '2' },
  );
}
