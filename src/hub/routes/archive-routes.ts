import { MOST_DAYS } from '../config/decode-retention.ts';
import { fieldsOf, refused, wholeNumberIn } from '../config/setting-decoders.ts';
import { withProblems } from '../http/api-problems.ts';
import { ARCHIVES_PATH } from '../http/gone-document.ts';
import { problem } from '../http/problem.ts';
import type { HubResponse, Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import type { LogArchive } from '../retention/log-archives.ts';
import type { Sweeper } from '../retention/sweep.ts';

export interface ArchiveRouteParts {
  readonly sweeper: Pick<Sweeper, 'archive' | 'archives'>;
  /** In a hub of several processes: whether others may have cut the log at that change, before this one. */
  readonly mayBeCutAt?: (seq: number) => boolean;
  /** The public base URL of the hub, with a final slash. */
  baseUrl(): string;
}

/** An archive never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const ARCHIVE_TYPE = 'application/gzip';

/** Routes for the archives of changes that were cut off the log, and for cutting it. */
export function archiveRoutes(parts: ArchiveRouteParts): Route[] {
  return [...archiveListRoutes(parts), archiveFileRoute(parts)];
}

function archiveListRoutes({ sweeper, baseUrl }: ArchiveRouteParts): Route[] {
  const view = ({ name, firstSeq, lastSeq, bytes }: LogArchive) => ({
    url: new URL(`${ARCHIVES_PATH}/${name}`, baseUrl()).href,
    first_seq: firstSeq,
    last_seq: lastSeq,
    bytes,
  });
  return [
    {
      method: 'GET',
      path: `/${ARCHIVES_PATH}`,
      access: 'open',
      cors: true,
      summary: 'List the archives of the log, oldest first: files with one change per line.',
      responses: { 200: 'The archives. Empty if nothing was archived yet.' },
      answer: { mediaType: JSON_TYPE },
      handle: withProblems(async () => uncachedJson(200, { archives: (await sweeper.archives.list()).map(view) })),
    },
    {
      method: 'POST',
      path: `/${ARCHIVES_PATH}`,
      access: 'admin',
      summary:
        'Move the oldest changes from the log into an archive. Feeds continue under new names, which discovery announces.',
      requestBody: {
        type: 'object',
        required: ['days'],
        properties: {
          days: { type: 'integer', minimum: 1, description: 'Age in days: newer changes stay in the log.' },
        },
        additionalProperties: false,
      },
      responses: {
        200: 'The archive. null if no change is that old.',
        400: 'The body is invalid.',
        503: 'The hub cannot write to its disk now, or its feeds lag behind.',
      },
      answer: { mediaType: JSON_TYPE },
      handle: withProblems(async ({ body }) => {
        const { days } = fieldsOf({ days: wholeNumberIn(1, MOST_DAYS) }, body, '');
        if (days === undefined) throw refused('days', days, 'Say how many days of the log stay.');
        const made = await sweeper.archive(days);
        return uncachedJson(200, { archive: made === undefined ? null : view(made) });
      }),
    },
  ];
}

function archiveFileRoute({ sweeper, mayBeCutAt }: ArchiveRouteParts): Route {
  return {
    method: 'GET',
    path: `/${ARCHIVES_PATH}/:file`,
    access: 'open',
    cors: true,
    summary: 'Download an archive (gzipped NDJSON).',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        description: 'The name of the archive, as in the list.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: 'The archive.',
      404: 'There is no archive with this name.',
      503: 'Another server of the hub may have created it; this server will have it shortly.',
    },
    answer: { mediaType: ARCHIVE_TYPE },
    handle: withProblems(async ({ params: { file = '' } }) => {
      const found = await sweeper.archives.read(file);
      if (found === undefined) return mayBeCutAt?.(lastSeqOf(file)) ? notYet() : noArchive(file);
      const { bytes, body } = found;
      const headers = { 'content-type': ARCHIVE_TYPE, 'content-length': String(bytes), 'cache-control': FOR_GOOD };
      return { status: 200, headers, body };
    }),
  };
}

/** `changes-1-5000.ndjson.gz`: 5000; 0 for any other name. */
function lastSeqOf(file: string): number {
  return Number(/^changes-\d{1,15}-(\d{1,15})\.ndjson\.gz$/.exec(file)?.[1] ?? 0);
}

function notYet(): HubResponse {
  const detail = 'This server has not come to that archive yet. Ask again in a moment.';
  return problem({ status: 503, detail }, { 'retry-after': '1' });
}

function noArchive(file: string): HubResponse {
  return problem({ status: 404, detail: `No archive is named ${JSON.stringify(file.slice(0, 80))}.` });
}
