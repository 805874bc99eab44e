import { fieldsOf, flag, text } from '../config/setting-decoders.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubResponse, Route } from '../http/route.ts';
import { slots } from '../http/slots.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { sourceAccess } from '../keys/source-access.ts';
import { answerTest } from './answer-test.ts';
import { IMPORT_BODY, importSources } from './import-sources.ts';
import { limitParameter, queryFields, wholeNumberText } from './query-fields.ts';
import {
  askedSource,
  BAD_BODY,
  NO_SOURCE,
  NO_WRITE,
  SOURCE_ID,
  SOURCE_VIEW,
  SOURCES_PATH,
  type SourceParts,
  type SourceRouteParts,
  sharedRoute,
  sourceAnswer,
  withAccess,
} from './source-route-parts.ts';
import { sourceSettingRoutes } from './source-setting-routes.ts';
import { viewCheck } from './source-view.ts';

const DEFAULT_CHECKS = 50;
const MAX_CHECKS = 500;
const MAX_REASON = 500;
const TESTS_AT_ONCE = 4;
const CONFIG = { $ref: '#/components/schemas/SourceConfig' };

/** The sources of the hub: all of them for its admin, and their own for owners of an enterprise key. */
export function sourceRoutes(given: SourceParts): Route[] {
  const parts = { ...given, accessOf: sourceAccess({ ...given, rules: given.keySources }) };
  return [
    ...readingRoutes(parts),
    addingRoute(parts),
    ...adminRoutes(parts),
    ...sourceSettingRoutes(parts),
    ...pausingRoutes(parts),
    ...steeringRoutes(parts),
  ];
}

function readingRoutes(parts: SourceRouteParts): Route[] {
  const { watch } = parts;
  return [
    {
      ...sharedRoute(
        'GET',
        SOURCES_PATH,
        'List the sources with their health. With an API key: only those that it added.',
      ),
      responses: { 200: 'The sources, in order of id.', 400: 'The query has parameters.' },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Sources' } },
      handle: withAccess(parts, ({ query }, access) => {
        queryFields({}, query);
        return uncachedJson(200, { sources: access.all().map((source) => sourceAnswer(source, parts)) });
      }),
    },
    {
      ...sharedRoute('GET', `${SOURCES_PATH}/:id`, 'Get a source with its health.'),
      parameters: [SOURCE_ID],
      responses: { 200: 'The source.', 404: NO_SOURCE },
      answer: SOURCE_VIEW,
      handle: withAccess(parts, (request, access) =>
        uncachedJson(200, sourceAnswer(askedSource(request, access), parts)),
      ),
    },
    {
      ...sharedRoute(
        'GET',
        `${SOURCES_PATH}/:id/checks`,
        'List the newest checks of a source, including those that found nothing.',
      ),
      parameters: [SOURCE_ID, limitParameter(MAX_CHECKS, DEFAULT_CHECKS)],
      responses: { 200: 'The checks, newest first.', 400: 'The limit is malformed.', 404: NO_SOURCE },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Checks' } },
      handle: withAccess(parts, async (request, access) => {
        const { limit = DEFAULT_CHECKS } = queryFields({ limit: wholeNumberText(1, MAX_CHECKS) }, request.query);
        const checks = await watch.checksOf(askedSource(request, access).config.id, limit);
        return uncachedJson(200, { checks: checks.map(viewCheck) });
      }),
    },
  ];
}

function addingRoute(parts: SourceRouteParts): Route {
  const paths = "Paths on the hub's machine (folders, apiKeyFile) are accepted in the config file only.";
  return {
    ...sharedRoute(
      'POST',
      SOURCES_PATH,
      `Add a source. ${paths} With an enterprise key: a source of its own, on the public web.`,
    ),
    requestBody: CONFIG,
    responses: {
      201: 'The source is watched.',
      400: BAD_BODY,
      403: 'The tier of the key does not include sources, or the key has reached its limit.',
      409: 'A source with this id exists.',
      503: NO_WRITE,
    },
    answer: SOURCE_VIEW,
    handle: withAccess(parts, async ({ body }, access) => {
      const config = access.decode(body, '');
      const added = sourceAnswer(await access.add(config), parts);
      return uncachedJson(201, added, { location: `${SOURCES_PATH}/${config.id}` });
    }),
  };
}

function adminRoutes(parts: SourceRouteParts): Route[] {
  const { watch, deadline } = parts;
  const decode = parts.decodeSource.bind(parts);
  const inSlot = slots(TESTS_AT_ONCE, 'sources are tested');
  return [
    {
      ...adminRoute('POST', `${SOURCES_PATH}/import`, 'Add many sources: all of them, or none if one is refused.'),
      requestBody: IMPORT_BODY,
      responses: {
        200: 'Dry run: what would be added.',
        201: 'The ids that were added, and those that already existed.',
        400: BAD_BODY,
        409: 'Some sources already exist or are listed twice; existing names them. Nothing was added.',
        503: NO_WRITE,
      },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Import' } },
      handle: withProblems(({ body }) => importSources(body, { ...parts, decode })),
    },
    {
      ...adminRoute('POST', `${SOURCES_PATH}/test`, 'Read a source once, without recording anything.'),
      requestBody: {
        type: 'object',
        required: ['source'],
        properties: { source: CONFIG },
        additionalProperties: false,
      },
      responses: { 200: 'The outcome.', 400: BAD_BODY, 503: 'Too many tests are running.', 504: 'It took too long.' },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/TestOutcome' } },
      handle: withProblems((request) => inSlot(() => answerTest(request, { watch, decode, deadline }))),
    },
  ];
}

function pausingRoutes(parts: SourceRouteParts): Route[] {
  return [
    {
      ...sharedRoute('POST', `${SOURCES_PATH}/:id/pause`, 'Pause a source.'),
      parameters: [SOURCE_ID],
      requestBody: {
        type: 'object',
        properties: { reason: { type: 'string', maxLength: MAX_REASON } },
        additionalProperties: false,
      },
      responses: { 200: 'The source is paused.', 400: BAD_BODY, 404: NO_SOURCE, 503: NO_WRITE },
      answer: SOURCE_VIEW,
      handle: withAccess(parts, async (request, access) => {
        const { id } = askedSource(request, access).config;
        const by = request.isAdmin ? 'operator' : 'owner of its key';
        const { reason = `paused by the ${by}` } = fieldsOf({ reason: text(MAX_REASON) }, request.body ?? {}, '');
        return uncachedJson(200, sourceAnswer(await access.pause(id, reason), parts));
      }),
    },
    {
      ...sharedRoute(
        'POST',
        `${SOURCES_PATH}/:id/resume`,
        'Resume a source and check it at once. Ends pauses that its hosts asked for.',
      ),
      parameters: [SOURCE_ID],
      requestBody: {
        type: 'object',
        properties: {
          allowDeletes: { type: 'boolean', description: 'true: the next check may report many pages as deleted.' },
        },
        additionalProperties: false,
      },
      responses: { 200: 'The source is checked again.', 400: BAD_BODY, 404: NO_SOURCE, 503: NO_WRITE },
      answer: SOURCE_VIEW,
      handle: withAccess(parts, async (request, access) => {
        const { id } = askedSource(request, access).config;
        const { allowDeletes = false } = fieldsOf({ allowDeletes: flag }, request.body ?? {}, '');
        return uncachedJson(200, sourceAnswer(await access.resume(id, { allowDeletes }), parts));
      }),
    },
  ];
}

function steeringRoutes(parts: SourceRouteParts): Route[] {
  return [
    {
      ...sharedRoute(
        'POST',
        `${SOURCES_PATH}/:id/check`,
        'Check a source now. A pause that its host asked for is kept.',
      ),
      parameters: [SOURCE_ID],
      responses: {
        202: 'The check is due now.',
        400: BAD_BODY,
        404: NO_SOURCE,
        409: 'The source is paused.',
        503: NO_WRITE,
      },
      answer: SOURCE_VIEW,
      handle: withAccess(parts, async (request, access) => {
        const { config, paused, allowDeletes = false } = askedSource(request, access);
        fieldsOf({}, request.body ?? {}, '');
        if (paused !== undefined) return pausedProblem(config.id);
        return uncachedJson(
          202,
          sourceAnswer(await access.resume(config.id, { allowDeletes, keepsHostPauses: true }), parts),
        );
      }),
    },
    {
      ...sharedRoute('DELETE', `${SOURCES_PATH}/:id`, 'Remove a source. Its changes stay in the log.'),
      parameters: [SOURCE_ID],
      responses: {
        204: 'The source is removed.',
        404: NO_SOURCE,
        409: 'The source is defined in the config file.',
        503: NO_WRITE,
      },
      handle: withAccess(parts, async (request, access) => {
        await access.remove(askedSource(request, access).config.id);
        return { status: 204, headers: { 'cache-control': 'no-store' } };
      }),
    },
  ];
}

function adminRoute<Method extends Route['method']>(method: Method, path: string, summary: string) {
  return { method, path, access: 'admin', summary } as const;
}

function pausedProblem(id: string): HubResponse {
  const detail = `The source "${id}" is paused and is not checked. Resume it; that checks it at once.`;
  return problem({ status: 409, detail });
}
