import { ruledSource } from '../config/decode-source.ts';
import type { KeySourceRules } from '../config/key-sources.ts';
import { fieldsOf, flag, text } from '../config/setting-decoders.ts';
import type { SourceNews } from '../health/source-status.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { slots } from '../http/slots.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { asCaller, type Caller } from '../keys/caller.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { type SourceAccess, type SourceAccessParts, sourceAccess } from '../keys/source-access.ts';
import type { WebSubView } from '../push/subscriber/websub-view.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { answerTest } from './answer-test.ts';
import { IMPORT_BODY, type ImportParts, importSources } from './import-sources.ts';
import { queryFields, wholeNumberText } from './query-fields.ts';
import { type SourceView, viewCheck, viewSource } from './source-view.ts';

export interface SourceParts extends Omit<SourceAccessParts, 'rules'>, Pick<ImportParts, 'dialectOf'> {
  readonly news: SourceNews;
  readonly keys: Pick<KeyRing, 'find' | 'ownerOf' | 'newestOf'>;
  /** What the owner of a key may watch. */
  readonly keySources: KeySourceRules;
  /** Whether a hub tells of the news of a source. */
  readonly webSubOf?: ((source: string) => WebSubView | undefined) | undefined;
  now(): number;
  /** Aborted after so long. */
  deadline(ms: number): AbortSignal;
}

const SOURCES = '/api/v1/sources';
const DEFAULT_CHECKS = 50;
const MAX_CHECKS = 500;
const MAX_REASON = 500;
const TESTS_AT_ONCE = 4;

const ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the source.',
  schema: { type: 'string' },
} as const;
const BAD_BODY = 'The body is not as described; detail names the key.';
const NO_SOURCE = 'There is no such source.';
const NO_WRITE = 'The hub cannot write to its disk now.';
const VIEW = { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Source' } };
const RULES = {
  ignore: { type: 'array', items: { type: 'string' }, description: 'Pages and elements that are left out.' },
  only: { type: 'array', items: { type: 'string' }, description: 'Pages and elements that are read alone.' },
};
const CONFIG = { $ref: '#/components/schemas/SourceConfig' };

/** What the hub watches: all of it for its admin, and for who has an enterprise key what is his own. */
export function sourceRoutes(given: SourceParts): Route[] {
  const parts = { ...given, accessOf: sourceAccess({ ...given, rules: given.keySources }) };
  return [
    ...readingRoutes(parts),
    addingRoute(parts),
    ...adminRoutes(parts),
    rulesRoute(parts),
    ...pausingRoutes(parts),
    ...steeringRoutes(parts),
  ];
}

interface Parts extends SourceParts {
  readonly accessOf: (caller: Caller) => SourceAccess;
}

/** DiffDelta §10: custom sources. */
const TIERS = ['enterprise'] as const;

type Answer = (request: HubRequest, access: SourceAccess) => HubResponse | Promise<HubResponse>;

/** Answers with what the caller may see and do. */
function withAccess({ keys, accessOf }: Parts, answer: Answer): Route['handle'] {
  return withProblems(asCaller({ keys, tiers: TIERS }, (request, caller) => answer(request, accessOf(caller))));
}

function readingRoutes(parts: Parts): Route[] {
  const { watch } = parts;
  return [
    {
      ...sharedRoute('GET', SOURCES, 'Every source, with its health; with a key, those that it added.'),
      responses: { 200: 'The sources, in order of id.', 400: 'The query has parameters.' },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Sources' } },
      handle: withAccess(parts, ({ query }, access) => {
        queryFields({}, query);
        return uncachedJson(200, { sources: access.all().map((source) => view(source, parts)) });
      }),
    },
    {
      ...sharedRoute('GET', `${SOURCES}/:id`, 'One source, with its health.'),
      parameters: [ID],
      responses: { 200: 'The source.', 404: NO_SOURCE },
      answer: VIEW,
      handle: withAccess(parts, (request, access) => uncachedJson(200, view(named(request, access), parts))),
    },
    {
      ...sharedRoute('GET', `${SOURCES}/:id/checks`, 'The newest checks of a source, also those that found nothing.'),
      parameters: [
        ID,
        {
          name: 'limit',
          in: 'query',
          description: 'At most so many.',
          schema: { type: 'integer', minimum: 1, maximum: MAX_CHECKS, default: DEFAULT_CHECKS },
        },
      ],
      responses: { 200: 'The checks, newest first.', 400: 'The limit is malformed.', 404: NO_SOURCE },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Checks' } },
      handle: withAccess(parts, async (request, access) => {
        const { limit = DEFAULT_CHECKS } = queryFields({ limit: wholeNumberText(1, MAX_CHECKS) }, request.query);
        const checks = await watch.checksOf(named(request, access).config.id, limit);
        return uncachedJson(200, { checks: checks.map(viewCheck) });
      }),
    },
  ];
}

function addingRoute(parts: Parts): Route {
  const paths = 'What names a path on the machine of the hub (folders, apiKeyFile) is taken from its config file only.';
  return {
    ...sharedRoute(
      'POST',
      SOURCES,
      `Watch a source. ${paths} With an enterprise key: one of its own, on the public web.`,
    ),
    requestBody: CONFIG,
    responses: {
      201: 'It is watched.',
      400: BAD_BODY,
      403: 'The tier of the key has no sources of its own, or the key has as many as it may.',
      409: 'A source of that id exists.',
      503: NO_WRITE,
    },
    answer: VIEW,
    handle: withAccess(parts, async ({ body }, access) => {
      const config = access.decode(body, '');
      const added = view(await access.add(config), parts);
      return uncachedJson(201, added, { location: `${SOURCES}/${config.id}` });
    }),
  };
}

function adminRoutes(parts: Parts): Route[] {
  const { watch, deadline } = parts;
  const decode = parts.decodeSource.bind(parts);
  const inSlot = slots(TESTS_AT_ONCE, 'sources are tested');
  return [
    {
      ...adminRoute('POST', `${SOURCES}/import`, 'Watch many sources: all of them, or none when one is refused.'),
      requestBody: IMPORT_BODY,
      responses: {
        200: 'Of a dry run: what would be added.',
        201: 'The ids that were added, and those that were there.',
        400: BAD_BODY,
        409: 'Some exist already, or are in the list twice; existing names them. Nothing was added.',
        503: NO_WRITE,
      },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Import' } },
      handle: withProblems(({ body }) => importSources(body, { watch, decode, dialectOf: parts.dialectOf })),
    },
    {
      ...adminRoute('POST', `${SOURCES}/test`, 'Read a source once, without recording anything.'),
      requestBody: {
        type: 'object',
        required: ['source'],
        properties: { source: CONFIG },
        additionalProperties: false,
      },
      responses: { 200: 'What came of it.', 400: BAD_BODY, 503: 'Too many tests at a time.', 504: 'It took too long.' },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/TestOutcome' } },
      handle: withProblems((request) => inSlot(() => answerTest(request, { watch, decode, deadline }))),
    },
  ];
}

function rulesRoute(parts: Parts): Route {
  return {
    ...sharedRoute(
      'POST',
      `${SOURCES}/:id/rules`,
      'Read a source by these rules, and no others. Nothing is told of that.',
    ),
    parameters: [ID],
    requestBody: { type: 'object', properties: RULES, additionalProperties: false },
    responses: {
      200: 'It is read by them, at once.',
      400: BAD_BODY,
      404: NO_SOURCE,
      409: 'It stands in the config file.',
      503: NO_WRITE,
    },
    answer: VIEW,
    handle: withAccess(parts, async (request, access) => {
      const ruled = ruledSource(named(request, access).config, request.body ?? {});
      return uncachedJson(200, view(await access.change(ruled), parts));
    }),
  };
}

function pausingRoutes(parts: Parts): Route[] {
  return [
    {
      ...sharedRoute('POST', `${SOURCES}/:id/pause`, 'Stop checking a source.'),
      parameters: [ID],
      requestBody: {
        type: 'object',
        properties: { reason: { type: 'string', maxLength: MAX_REASON } },
        additionalProperties: false,
      },
      responses: { 200: 'It is paused.', 400: BAD_BODY, 404: NO_SOURCE, 503: NO_WRITE },
      answer: VIEW,
      handle: withAccess(parts, async (request, access) => {
        const { id } = named(request, access).config;
        const by = request.isAdmin ? 'operator' : 'owner of its key';
        const { reason = `paused by the ${by}` } = fieldsOf({ reason: text(MAX_REASON) }, request.body ?? {}, '');
        return uncachedJson(200, view(await access.pause(id, reason), parts));
      }),
    },
    {
      ...sharedRoute('POST', `${SOURCES}/:id/resume`, 'Check a source again, at once; ends host pauses.'),
      parameters: [ID],
      requestBody: {
        type: 'object',
        properties: {
          allowDeletes: { type: 'boolean', description: 'The next check may take much for gone.' },
        },
        additionalProperties: false,
      },
      responses: { 200: 'It is checked again.', 400: BAD_BODY, 404: NO_SOURCE, 503: NO_WRITE },
      answer: VIEW,
      handle: withAccess(parts, async (request, access) => {
        const { id } = named(request, access).config;
        const { allowDeletes = false } = fieldsOf({ allowDeletes: flag }, request.body ?? {}, '');
        return uncachedJson(200, view(await access.resume(id, { allowDeletes }), parts));
      }),
    },
  ];
}

function steeringRoutes(parts: Parts): Route[] {
  return [
    {
      ...sharedRoute('POST', `${SOURCES}/:id/check`, 'Check a source now. A pause that its host asked for is kept.'),
      parameters: [ID],
      responses: { 202: 'It is due.', 400: BAD_BODY, 404: NO_SOURCE, 409: 'It is paused.', 503: NO_WRITE },
      answer: VIEW,
      handle: withAccess(parts, async (request, access) => {
        const { config, paused, allowDeletes = false } = named(request, access);
        fieldsOf({}, request.body ?? {}, '');
        if (paused !== undefined) return pausedProblem(config.id);
        return uncachedJson(202, view(await access.resume(config.id, { allowDeletes, keepsHostPauses: true }), parts));
      }),
    },
    {
      ...sharedRoute('DELETE', `${SOURCES}/:id`, 'Stop watching a source and forget it. Its changes stay in the log.'),
      parameters: [ID],
      responses: { 204: 'It is gone.', 404: NO_SOURCE, 409: 'It stands in the config file.', 503: NO_WRITE },
      handle: withAccess(parts, async (request, access) => {
        await access.remove(named(request, access).config.id);
        return { status: 204, headers: { 'cache-control': 'no-store' } };
      }),
    },
  ];
}

function adminRoute<Method extends Route['method']>(method: Method, path: string, summary: string) {
  return { method, path, access: 'admin', summary } as const;
}

function sharedRoute<Method extends Route['method']>(method: Method, path: string, summary: string) {
  return { method, path, access: 'admin-or-key', summary } as const;
}

function named({ params: { id = '' } }: HubRequest, access: SourceAccess): WatchedSource {
  return access.known(id);
}

function view(source: WatchedSource, { news, now, keys, webSubOf }: Parts): SourceView {
  const key = source.owner === undefined ? undefined : keys.newestOf(source.owner);
  const websub = webSubOf?.(source.config.id);
  return {
    ...viewSource(source, news, now()),
    ...(key !== undefined && { owner: key.prefix }),
    ...(websub !== undefined && { websub }),
  };
}

function pausedProblem(id: string): HubResponse {
  const detail = `The source "${id}" is paused and is not checked. Resume it; that checks it at once.`;
  return problem({ status: 409, detail });
}
