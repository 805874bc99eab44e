import type { Change } from '../../model/change.ts';
import { CURSOR_PATTERN, decodeCursor } from '../../stream/log-cursor.ts';
import { type Decode, refused } from '../config/setting-decoders.ts';
import { answerArtifact } from '../http/answer-artifact.ts';
import { withProblems } from '../http/api-problems.ts';
import { ByteCache } from '../http/byte-cache.ts';
import { ARCHIVES_PATH } from '../http/gone-document.ts';
import { checkPreconditions } from '../http/preconditions.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { JSON_TYPE, strongEtag } from '../http/small-answer.ts';
import { placeInLog } from '../push/log-place.ts';
import { readChangesPage } from '../store/changes-page.ts';
import type { HubStore } from '../store/hub-store.ts';
import { anyText, limitParameter, queryFields, wholeNumberText } from './query-fields.ts';

export interface ChangesParts {
  readonly store: Pick<HubStore, 'changes' | 'changeById' | 'logStart' | 'redactions'>;
  /** Identifies the log; undefined if no backup was ever restored. */
  readonly epoch: string | undefined;
  /** The newest change of the log, from memory; undefined while the log is empty. */
  newest(): Pick<Change, 'seq' | 'id'> | undefined;
  /** Whether the source is watched, or has left changes in the log. From memory. */
  isSource(id: string): boolean;
  /** The public base URL of the hub, with a final slash. */
  baseUrl(): string;
}

interface ChangesQuery {
  readonly after?: string;
  readonly source?: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const PAGES_BYTES = 16 * 1024 * 1024;
const PAGE_RULES = { mediaType: JSON_TYPE, cacheControl: 'no-cache' };
const NOTHING = new Uint8Array();

const cursor: Decode<string> = (value, at) => {
  if (typeof value === 'string' && decodeCursor(value) !== undefined) return value;
  throw refused(at, value, 'A cursor is what this hub gave in next, or the id of a change: 26 characters.');
};

/** The log, page by page, for readers with a cursor. */
export function changesRoutes(parts: ChangesParts): Route[] {
  const pages = new ByteCache(PAGES_BYTES);
  return [
    {
      method: 'GET',
      path: '/api/v1/changes',
      access: 'open',
      cors: true,
      summary:
        'List the changes after a cursor, oldest first. Pass next as after to continue. Without after: from the start of the log.',
      parameters: [
        {
          name: 'after',
          in: 'query',
          description: 'The cursor: next of the previous answer, or the id of the last change that you have.',
          schema: { type: 'string', pattern: CURSOR_PATTERN },
        },
        {
          name: 'source',
          in: 'query',
          description: 'Only changes of the source with this id.',
          schema: { type: 'string' },
        },
        limitParameter(MAX_LIMIT, DEFAULT_LIMIT, 'Maximum number of changes.'),
      ],
      responses: {
        200: 'The changes, and the cursor to continue from.',
        304: 'Not modified.',
        400: 'A parameter is unknown, malformed or given twice.',
        404: 'There is no such source.',
        410: 'The cursor is not of this log; feed, or archives, name where everything is.',
      },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/ChangesPage' } },
      handle: withProblems((request) => answerChanges(request, { ...parts, pages })),
    },
  ];
}

interface AnswerParts extends ChangesParts {
  /** Encoded pages: many readers continue from the same cursor. */
  readonly pages: ByteCache;
}

async function answerChanges(request: HubRequest, parts: AnswerParts): Promise<HubResponse> {
  const shape = { after: cursor, source: anyText, limit: wholeNumberText(1, MAX_LIMIT) };
  const { after, source, limit = DEFAULT_LIMIT } = queryFields(shape, request.query);
  if (source !== undefined && !parts.isSource(source)) return unknownSource(source);

  // Later changes are left to the next request, so that no cursor skips them.
  const newest = parts.newest();
  const begins = parts.store.logStart();
  // A reader that holds a page with redacted texts gets a new one.
  const redactions = parts.store.redactions();
  const edition = redactions === 0 ? [] : [{ redactions }];
  const etag = strongEtag(
    JSON.stringify([newest?.id, after, source, limit, ...(begins === undefined ? [] : [begins.id]), ...edition]),
  );
  const condition = checkPreconditions(request.headers, { etags: [etag], lastModifiedMs: undefined });
  const isKnown = condition.kind === 'not-modified' && condition.etag !== undefined;
  if (isKnown) return answerArtifact(request, { ...PAGE_RULES, etag, bytes: NOTHING });

  // A full page stays the same whatever is appended; any other page holds only for this moment.
  const fullKey = JSON.stringify([after, source, limit, begins?.id, redactions]);
  const written = parts.pages.get(fullKey) ?? parts.pages.get(etag);
  if (written !== undefined) return answerArtifact(request, { ...PAGE_RULES, etag, bytes: written });

  const start = after === undefined ? begins : await placeInLog(after, parts.store);
  if (after !== undefined && start === undefined) return lostCursor({ after, source, limit }, parts);

  const found = await readChangesPage({ source, limit, start, epoch: parts.epoch, newest }, parts.store);
  // For a log that was cut: the id of the last change that it no longer has.
  const page = { ...found, ...(begins && { begins_after: begins.id }) };
  const bytes = Buffer.from(`${JSON.stringify(page)}\n`);
  parts.pages.set(found.changes.length === limit ? fullKey : etag, bytes);
  return answerArtifact(request, { ...PAGE_RULES, etag, bytes });
}

function unknownSource(source: string): HubResponse {
  return problem({
    status: 404,
    detail: `This hub neither watches nor has changes of a source "${source.slice(0, 100)}".`,
  });
}

/** Never restarts silently: the reader decides how to fill the gap. */
function lostCursor({ after = '', source, limit }: ChangesQuery, { store, baseUrl }: ChangesParts): HubResponse {
  const restart = new URL('api/v1/changes', baseUrl());
  if (source !== undefined) restart.searchParams.set('source', source);
  if (limit !== DEFAULT_LIMIT) restart.searchParams.set('limit', String(limit));
  if (store.logStart() !== undefined) return cutCursor(after, restart.href, baseUrl());

  const feed = new URL(source === undefined ? 'ai-changes.ndjson' : `aicf/${source}.ndjson`, baseUrl()).href;
  return problem({
    status: 410,
    detail:
      `No change of this hub has the id ${after}: it is older than the log, of another hub, or newer than a backup that was restored. ` +
      `Changes may be missing between it and now. Read everything from ${feed} (ids that you know are the same changes), ` +
      `or start again at ${restart.href}.`,
    cursor: after,
    feed,
    restart: restart.href,
  });
}

function cutCursor(after: string, restart: string, baseUrl: string): HubResponse {
  const archives = new URL(ARCHIVES_PATH, baseUrl).href;
  return problem({
    status: 410,
    detail:
      `The log has no change ${after} any more, or never had it: what is old was moved into archives. ` +
      `Read those that ${archives} lists (ids that you know are the same changes), then go on at ${restart}.`,
    cursor: after,
    archives,
    restart,
  });
}
