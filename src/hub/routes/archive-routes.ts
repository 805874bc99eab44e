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
  /** Of a hub that runs in several processes: whether others may have cut the log at that change, and this one has not yet. */
  readonly mayBeCutAt?: (seq: number) => boolean;
  /** Where readers find the hub, with a final slash. */
  baseUrl(): string;
}

/** An archive never changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const ARCHIVE_TYPE = 'application/gzip';

/** What was cut off the log, for readers who were away for long; and how to cut it. */
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
      summary: 'What was cut off the log, oldest first: files with one change a line.',
      responses: { 200: 'The archives; none while the log was never cut.' },
      answer: { mediaType: JSON_TYPE },
      handle: withProblems(async () => uncachedJson(200, { archives: (await sweeper.archives.list()).map(view) })),
    },
    {
      method: 'POST',
      path: `/${ARCHIVES_PATH}`,
      access: 'admin',
      summary: 'Move the oldest changes from the log into an archive. Feeds go on under new names, as discovery says.',
      requestBody: {
        type: 'object',
        required: ['days'],
        properties: { days: { type: 'integer', minimum: 1, description: 'What is younger stays in the log.' } },
        additionalProperties: false,
      },
      responses: {
        200: 'The archive; null when nothing is that old.',
        400: 'The body holds something else.',
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
    summary: 'One archive: NDJSON in gzip.',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        description: 'Its name, as the list has it.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: 'The archive.',
      404: 'There is none of that name.',
      503: 'Another server of the hub may have made it; this one has it in a moment.',
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

/** `changes-1-5000.ndjson.gz`: 5000; 0 where it is named otherwise. */
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
