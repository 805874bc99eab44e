import { CURSOR_PATTERN, decodeCursor } from '../../stream/log-cursor.ts';
import { type Decode, refused } from '../config/setting-decoders.ts';
import type { StreamSettings } from '../config/stream-settings.ts';
import { API_KEY_HEADER } from '../http/access.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import { cutWhen, type PushedBody } from '../http/pushed-body.ts';
import type { HubRequest, HubResponse, Route, RouteParameter } from '../http/route.ts';
import { clientOfAddress } from '../keys/client-address.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { type ChangeFilter, FILTER_QUERY } from '../push/change-filter.ts';
import type { EventStreams, StreamWish } from '../push/streams/event-streams.ts';
import { queryFields } from './query-fields.ts';

export interface EventsParts {
  readonly streams: Pick<EventStreams, 'open'>;
  readonly settings: Pick<StreamSettings, 'perClient' | 'perKey'>;
  readonly keys: Pick<KeyRing, 'find' | 'whenOver'>;
  /** Whether the source is watched, or has left changes in the log. */
  isSource(id: string): boolean;
}

const MEDIA_TYPE = 'text/event-stream';
/** Not cached or buffered on the way. */
const HEADERS = { 'content-type': MEDIA_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

const cursor: Decode<string> = (value, at) => {
  if (typeof value === 'string' && decodeCursor(value) !== undefined) return value;
  throw refused(at, value, 'A cursor is the id of an event as this hub gave it, or next of /api/v1/changes.');
};

const PARAMETERS: readonly RouteParameter[] = [
  {
    name: 'after',
    in: 'query',
    description: 'Start after this cursor. Without it: only new changes. Last-Event-ID takes precedence.',
    schema: { type: 'string', pattern: CURSOR_PATTERN },
  },
  ...['kind', 'action', 'path', 'anchor'].map(filterParameter),
];

/** The growing log, as Server-Sent Events. */
export function eventsRoutes(parts: EventsParts): Route[] {
  const shared = {
    method: 'GET',
    access: 'open',
    cors: true,
    responses: {
      200: 'The events, until the client disconnects.',
      400: 'A parameter is unknown, malformed or given twice.',
      404: 'There is no such source.',
    },
    answer: { mediaType: MEDIA_TYPE },
  } as const;
  const { source, ...others } = FILTER_QUERY;
  return [
    {
      ...shared,
      path: '/events',
      summary:
        'Stream changes as they happen, as Server-Sent Events. Last-Event-ID resumes without gaps or duplicates.',
      parameters: [...PARAMETERS, filterParameter('source')],
      handle: withProblems((request) => {
        const { after, ...filter } = queryFields({ after: cursor, source, ...others }, request.query);
        return answerEvents(request, { after, filter }, parts);
      }),
    },
    {
      ...shared,
      path: '/events/:source',
      summary: 'Stream the changes of one source as they happen, as Server-Sent Events.',
      parameters: [
        {
          name: 'source',
          in: 'path',
          required: true,
          description: 'The id of the source.',
          schema: { type: 'string' },
        },
        ...PARAMETERS,
      ],
      handle: withProblems((request) => {
        const { after, ...filter } = queryFields({ after: cursor, ...others }, request.query);
        return answerEvents(request, { after, filter: { ...filter, source: [request.params.source ?? ''] } }, parts);
      }),
    },
  ];
}

function answerEvents(
  { headers, clientIp }: HubRequest,
  { after, filter }: { readonly after: string | undefined; readonly filter: ChangeFilter },
  { streams, settings, keys, isSource }: EventsParts,
): HubResponse {
  const unknown = filter.source?.find((id) => !isSource(id));
  if (unknown !== undefined) return unknownSource(unknown);
  const key = keys.find(headers[API_KEY_HEADER]);
  // A client that reconnects sends both: its URL is that of the first request.
  const given = headers['last-event-id'] || after;
  const wish: StreamWish = {
    client: key?.hash ?? clientOfAddress(clientIp),
    mostOfClient: key === undefined ? settings.perClient : settings.perKey,
    filter,
    ...(given !== undefined && { cursor: given }),
  };
  const body = eventsBody(streams, wish);
  // A key that is no longer valid opens no stream, and keeps none open.
  return {
    status: 200,
    headers: HEADERS,
    body: key === undefined ? body : cutWhen(body, (cut) => keys.whenOver(key, cut)),
  };
}

function eventsBody(streams: EventsParts['streams'], wish: StreamWish): PushedBody {
  return { begin: (sink) => streams.open(sink, wish) };
}

function unknownSource(source: string): HubResponse {
  const detail = `This hub neither watches nor has changes of a source "${source.slice(0, 100)}".`;
  return problem({ status: 404, detail });
}

function filterParameter(name: string): RouteParameter {
  const description = `Only changes with this ${name}. Separate several values with commas.`;
  return { name, in: 'query', description, schema: { type: 'string' } };
}
