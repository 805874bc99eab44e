import { isRecord } from '../../../codecs/primitives/json-record.ts';
import { withProblems } from '../../../hub/http/api-problems.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../../../hub/http/route.ts';
import { JSON_TYPE, uncachedJson } from '../../../hub/http/small-answer.ts';
import type { ShelfSource } from '../../shelf.ts';
import type { ReaderState } from '../read/reader-state.ts';
import { EndpointTable } from './endpoint-table.ts';

export interface EndpointRouteParts {
  /** Undefined if the hub keeps no state of readers. */
  readonly state: () => ReaderState | undefined;
  readonly sources: () => readonly ShelfSource[];
  readonly now: () => number;
}

const PARAMETERS = ['resolve', 'origin'];
const MAX_TEXT = 2048;
const text = { type: 'string' } as const;
const ORIGINS = {
  type: 'object',
  required: ['origins'],
  properties: {
    origins: {
      type: 'array',
      items: {
        type: 'object',
        required: ['source', 'origin', 'feed', 'trust', 'feedStatus', 'endpoints', 'mismatches'],
        properties: {
          source: text,
          origin: text,
          feed: text,
          trust: { type: 'boolean', description: 'Permanently false once the feed was terminated or moved.' },
          feedStatus: { type: ['string', 'null'] },
          endpoints: {
            type: 'array',
            items: { type: 'object', description: 'An endpoint, as `tidings read --json` prints it.' },
          },
          mismatches: {
            type: 'array',
            items: { type: 'object', description: 'How and when a live answer differed from what the feed announced.' },
          },
          suspended: text,
          problem: text,
          migratedTo: text,
          nextPollAt: { type: 'string', format: 'date-time' },
        },
      },
    },
    resolved: {
      type: 'array',
      description: 'Present only with resolve.',
      items: {
        type: 'object',
        required: ['source', 'origin', 'endpointId', 'url'],
        properties: { source: text, origin: text, endpointId: text, url: text },
      },
    },
  },
};

/** The routes for what the hub knows about the endpoints of all watched origins. */
export function endpointRoutes(parts: EndpointRouteParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/endpoints',
      access: 'open',
      cors: true,
      summary: 'The endpoints of all watched origins, from their signed feeds, and where live answers differed.',
      parameters: [
        {
          name: 'resolve',
          in: 'query',
          description: 'Resolve the current address of an endpoint, given by its id or one of its addresses.',
          schema: { ...text, maxLength: MAX_TEXT },
        },
        { name: 'origin', in: 'query', description: 'Only this origin.', schema: { ...text, maxLength: MAX_TEXT } },
      ],
      responses: { 200: 'The known endpoints.', 400: 'A parameter is unknown, too long or given twice.' },
      answer: { mediaType: JSON_TYPE, schema: ORIGINS },
      handle: withProblems((request) => answerTable(request, parts)),
    },
    {
      method: 'POST',
      path: '/api/v1/endpoints/observations',
      access: 'admin',
      summary: 'Compare a live answer of an endpoint with what its feed announced. A mismatch is recorded.',
      requestBody: {
        type: 'object',
        required: ['origin', 'endpointId', 'observed'],
        properties: { origin: text, endpointId: text, observed: { description: 'The decoded answer or its shape.' } },
        additionalProperties: false,
      },
      responses: {
        200: 'The mismatch. null if they agree or the endpoint is unknown.',
        400: 'The body is invalid.',
        404: 'The origin is not watched.',
        503: 'The hub cannot write to its disk now.',
      },
      answer: {
        mediaType: JSON_TYPE,
        schema: { type: 'object', properties: { mismatch: { type: ['object', 'null'] } } },
      },
      handle: withProblems(({ body }) => answerObservation(body, parts)),
    },
  ];
}

async function answerTable({ query }: HubRequest, parts: EndpointRouteParts): Promise<HubResponse> {
  for (const name of query.keys()) {
    if (!PARAMETERS.includes(name))
      return refused(`${name.slice(0, 100)} is no parameter: there are resolve and origin.`);
    if (query.getAll(name).length > 1 || (query.get(name)?.length ?? 0) > MAX_TEXT) {
      return refused(`Give ${name} once, with at most ${MAX_TEXT} characters.`);
    }
  }
  const [wanted, origin] = [query.get('resolve'), query.get('origin')?.replace(/\/$/, '')];
  const table = tableOf(parts);
  const isAsked = (one: { readonly origin: string }) => origin === undefined || one.origin === origin;
  const origins = (await table?.origins())?.filter(isAsked) ?? [];
  const resolved = wanted === null ? undefined : ((await table?.resolve(wanted))?.filter(isAsked) ?? []);
  return uncachedJson(200, { origins, ...(resolved !== undefined && { resolved }) });
}

async function answerObservation(body: unknown, parts: EndpointRouteParts): Promise<HubResponse> {
  const { origin, endpointId, observed } = isRecord(body) ? body : {};
  if (typeof origin !== 'string' || typeof endpointId !== 'string' || observed === undefined) {
    return refused('Give { "origin": "https://…", "endpointId": "…", "observed": … }.');
  }
  const found = await tableOf(parts)?.observe(origin.replace(/\/$/, ''), endpointId, observed);
  return found === undefined
    ? problem({ status: 404, detail: `No agent-feed of ${origin.slice(0, 200)} is known here.` })
    : uncachedJson(200, found);
}

function tableOf(parts: EndpointRouteParts): EndpointTable | undefined {
  const state = parts.state();
  return state === undefined ? undefined : new EndpointTable(state, parts);
}

function refused(detail: string): HubResponse {
  return problem({ status: 400, detail });
}
