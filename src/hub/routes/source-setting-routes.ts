import { ruledSource } from '../config/decode-source.ts';
import { EDITABLE_KEYS } from '../config/edited-source.ts';
import type { Route } from '../http/route.ts';
import { uncachedJson } from '../http/small-answer.ts';
import {
  askedSource,
  BAD_BODY,
  NO_SOURCE,
  NO_WRITE,
  SOURCE_ID,
  SOURCE_VIEW,
  SOURCES_PATH,
  type SourceRouteParts,
  sharedRoute,
  sourceAnswer,
  withAccess,
} from './source-route-parts.ts';

const RULES = {
  ignore: { type: 'array', items: { type: 'string' }, description: 'Pages and elements that are left out.' },
  only: { type: 'array', items: { type: 'string' }, description: 'Pages and elements that are read alone.' },
};
const EDIT = {
  type: 'object',
  description: `Of the settings of a source: ${EDITABLE_KEYS.join(', ')}. null takes one away.`,
  properties: Object.fromEntries(EDITABLE_KEYS.map((key) => [key, {}])),
  additionalProperties: false,
};

/** What changes the settings of a source. */
export function sourceSettingRoutes(parts: SourceRouteParts): Route[] {
  return [editingRoute(parts), rulesRoute(parts)];
}

function editingRoute(parts: SourceRouteParts): Route {
  return {
    ...sharedRoute(
      'PATCH',
      `${SOURCES_PATH}/:id`,
      'Change settings of a source. What it is and where it is read stays.',
    ),
    parameters: [SOURCE_ID],
    requestBody: EDIT,
    responses: {
      200: 'They count. Where they bear on what is read, it is checked at once.',
      400: BAD_BODY,
      404: NO_SOURCE,
      409: 'It stands in the config file.',
      503: NO_WRITE,
    },
    answer: SOURCE_VIEW,
    handle: withAccess(parts, async (request, access) =>
      uncachedJson(200, sourceAnswer(await access.edit(askedSource(request, access).config.id, request.body), parts)),
    ),
  };
}

function rulesRoute(parts: SourceRouteParts): Route {
  return {
    ...sharedRoute(
      'POST',
      `${SOURCES_PATH}/:id/rules`,
      'Read a source by these rules, and no others. Nothing is told of that.',
    ),
    parameters: [SOURCE_ID],
    requestBody: { type: 'object', properties: RULES, additionalProperties: false },
    responses: {
      200: 'It is read by them, at once.',
      400: BAD_BODY,
      404: NO_SOURCE,
      409: 'It stands in the config file.',
      503: NO_WRITE,
    },
    answer: SOURCE_VIEW,
    handle: withAccess(parts, async (request, access) => {
      const ruled = ruledSource(askedSource(request, access).config, request.body ?? {});
      return uncachedJson(200, sourceAnswer(await access.change(ruled), parts));
    }),
  };
}
