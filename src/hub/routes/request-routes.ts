import { formatTime } from '../../codecs/primitives/time.ts';
import { webUrl } from '../config/setting-addresses.ts';
import { fieldsOf, refused } from '../config/setting-decoders.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubResponse, Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { clientOfAddress } from '../keys/client-address.ts';
import type { FollowOutcome, FollowRequests } from '../self-service/follow-requests.ts';
import type { RequestBook } from '../self-service/request-book.ts';
import { isFromElsewhere } from '../sign-in/own-form.ts';

export interface RequestRoutesParts {
  /** Absent: the operator accepts no requests. */
  readonly requests: FollowRequests | undefined;
  readonly book: Pick<RequestBook, 'all'>;
  /** The public base URL of the hub. */
  baseUrl(): string;
  /** Aborted after this time. */
  deadline(ms: number): AbortSignal;
}

const REQUESTS = '/api/v1/requests';
const LOOK_MS = 40_000;
const TEXT = { type: 'string' };
const ANSWER = {
  type: 'object',
  required: ['source', 'isNew'],
  properties: {
    source: { ...TEXT, description: 'The id of the source.' },
    isNew: { type: 'boolean', description: 'false: the host is already watched.' },
    paused: { ...TEXT, description: 'Why the source is paused.' },
  },
};
const KEPT = {
  type: 'object',
  required: ['requests'],
  properties: {
    requests: {
      type: 'array',
      items: {
        type: 'object',
        required: ['time', 'url', 'client'],
        properties: {
          time: { type: 'string', format: 'date-time' },
          url: TEXT,
          client: { ...TEXT, description: 'The client identity that requests are counted by.' },
          source: TEXT,
          reason: { ...TEXT, description: 'Why the request was refused.' },
        },
      },
    },
    leftToday: { type: 'integer', minimum: 0 },
  },
};

/** Anyone may ask for a public site to be followed, if the operator allows it. */
export function requestRoutes({ requests, book, baseUrl, deadline }: RequestRoutesParts): Route[] {
  return [
    {
      method: 'POST',
      path: REQUESTS,
      access: 'open',
      summary: 'Request that the hub follows a public site. The hub checks its robots.txt and terms first.',
      requestBody: { type: 'object', required: ['url'], properties: { url: TEXT }, additionalProperties: false },
      responses: {
        200: 'The host is already watched.',
        201: 'The site is now followed.',
        400: 'The body is not as described; detail names the key.',
        403: 'The site, its owner or the hub refuses; detail says why.',
        404: 'This hub accepts no requests.',
        422: 'The site could not be read.',
        429: 'Too many requests today; see Retry-After.',
        503: 'The site or the hub is busy; see Retry-After.',
      },
      answer: { mediaType: JSON_TYPE, schema: ANSWER },
      handle: withProblems(async (request) => {
        if (requests === undefined) return CLOSED;
        // A page of another site must not make the browser of a visitor send requests.
        if (isFromElsewhere(request, baseUrl())) return FROM_ANOTHER_SITE;
        const { url } = fieldsOf({ url: webUrl }, request.body ?? {}, '');
        if (url === undefined) throw refused('url', undefined, 'Give the address of the site.');
        const signal = AbortSignal.any([request.signal, deadline(LOOK_MS)]);
        return answerOf(await requests.ask(new URL(url), clientOfAddress(request.clientIp), signal));
      }),
    },
    {
      method: 'GET',
      path: REQUESTS,
      access: 'admin',
      summary: 'List the requests of visitors to follow sites, and their outcomes.',
      responses: { 200: 'The newest requests, newest first.' },
      answer: { mediaType: JSON_TYPE, schema: KEPT },
      handle: () => {
        const kept = book.all().map(({ atMs, ...rest }) => ({ time: formatTime(atMs), ...rest }));
        return uncachedJson(200, { requests: kept, ...(requests && { leftToday: requests.leftToday() }) });
      },
    },
  ];
}

const CLOSED = problem({ status: 404, detail: 'This hub takes no requests: its operator chooses what it watches.' });
const FROM_ANOTHER_SITE = problem({
  status: 403,
  detail: 'This came from a page of another site. Ask from the pages of this hub.',
});

function answerOf(outcome: FollowOutcome): HubResponse {
  if (outcome.is === 'refused') {
    const { status, reason: detail, waitMs } = outcome;
    return problem({ status, detail }, waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) });
  }
  const { config, paused } = outcome.source;
  const isNew = outcome.is === 'added';
  return uncachedJson(isNew ? 201 : 200, { source: config.id, isNew, ...(paused !== undefined && { paused }) });
}
