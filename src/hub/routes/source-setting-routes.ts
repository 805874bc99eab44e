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
  ignore: { type: 'array', items: { type: 'string' }, description: 'Pages and elements to ignore.' },
  only: { type: 'array', items: { type: 'string' }, description: 'The only pages and elements to read.' },
};
const EDIT = {
  type: 'object',
  description: `The settings to change: ${EDITABLE_KEYS.join(', ')}. null removes a setting.`,
  properties: Object.fromEntries(EDITABLE_KEYS.map((key) => [key, {}])),
  additionalProperties: false,
};

/** Routes that change the settings of a source. */
export function sourceSettingRoutes(parts: SourceRouteParts): Route[] {
  return [editingRoute(parts), rulesRoute(parts)];
}

function editingRoute(parts: SourceRouteParts): Route {
  return {
    ...sharedRoute(
      'PATCH',
      `${SOURCES_PATH}/:id`,
      'Change settings of a source. Its id, kind and address cannot be changed.',
    ),
    parameters: [SOURCE_ID],
    requestBody: EDIT,
    responses: {
      200: 'The settings apply. If they affect what is read, the source is checked at once.',
      400: BAD_BODY,
      404: NO_SOURCE,
      409: 'The source is defined in the config file.',
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
      'Replace the ignore and only rules of a source. This by itself is not reported as changes.',
    ),
    parameters: [SOURCE_ID],
    requestBody: { type: 'object', properties: RULES, additionalProperties: false },
    responses: {
      200: 'The rules apply, and the source is checked at once.',
      400: BAD_BODY,
      404: NO_SOURCE,
      409: 'The source is defined in the config file.',
      503: NO_WRITE,
    },
    answer: SOURCE_VIEW,
    handle: withAccess(parts, async (request, access) => {
      const ruled = ruledSource(askedSource(request, access).config, request.body ?? {});
      return uncachedJson(200, sourceAnswer(await access.change(ruled), parts));
    }),
  };
}
