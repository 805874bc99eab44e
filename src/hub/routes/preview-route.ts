import { withProblems } from '../http/api-problems.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { decodePreviewRequest, type Previewer } from '../preview/previewer.ts';

const RULES = { type: 'array', items: { type: 'string' } };

/** What watching a source would mean, before it is watched. */
export function previewRoute(previewer: Previewer): Route {
  return {
    method: 'POST',
    path: '/api/v1/sources/preview',
    access: 'admin',
    summary:
      'Look at a site that may become a source: what it offers, how its pages would be read, what that costs, and its setting. Nothing is recorded.',
    requestBody: {
      type: 'object',
      required: ['url'],
      properties: {
        url: { type: 'string', format: 'uri' },
        ignore: { ...RULES, description: 'Pages and elements that are left out.' },
        only: { ...RULES, description: 'Pages and elements that are read alone.' },
        again: { type: 'boolean', description: 'Ask the site again, also where it was read in the last five minutes.' },
      },
      additionalProperties: false,
    },
    responses: {
      200: 'What was found; failure says why nothing could be read.',
      400: 'The body is not as described; detail names the key.',
      403: 'The address is none of the public web.',
      503: 'Too many previews at a time.',
    },
    answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/SourcePreview' } },
    handle: withProblems(async ({ body, signal }) =>
      uncachedJson(200, await previewer.preview(decodePreviewRequest(body), signal)),
    ),
  };
}
