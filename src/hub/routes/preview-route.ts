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
      'Preview a site as a source: the feeds it offers, how its pages would be read, the cost, and the configuration. Nothing is recorded.',
    requestBody: {
      type: 'object',
      required: ['url'],
      properties: {
        url: { type: 'string', format: 'uri' },
        ignore: { ...RULES, description: 'Pages and elements to ignore.' },
        only: { ...RULES, description: 'The only pages and elements to read.' },
        again: { type: 'boolean', description: 'Read the site again, even if it was read in the last five minutes.' },
      },
      additionalProperties: false,
    },
    responses: {
      200: 'What was found; failure says why nothing could be read.',
      400: 'The body is not as described; detail names the key.',
      403: 'The address is not on the public web.',
      503: 'Too many previews are running.',
    },
    answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/SourcePreview' } },
    handle: withProblems(async ({ body, signal }) =>
      uncachedJson(200, await previewer.preview(decodePreviewRequest(body), signal)),
    ),
  };
}
