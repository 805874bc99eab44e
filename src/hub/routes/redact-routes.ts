import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';

/** What was done about the texts of a change. */
export interface RedactedChange {
  readonly id: string;
  /** The fields whose texts and salts were removed. */
  readonly fields: readonly string[];
  /** Documents that may not be rewritten and still contain them. */
  readonly kept: readonly string[];
}

export interface RedactRouteParts {
  /** Undefined for a change that the log does not have. */
  redact(id: string): Promise<RedactedChange | undefined>;
}

/** Removes the texts of a change from the hub: for published secrets, and for people with a right to be forgotten. */
export function redactRoutes({ redact }: RedactRouteParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v1/changes/:id/redact',
      access: 'admin',
      summary: 'Permanently delete the texts of a change. Its entry in the provable log keeps their hashes.',
      parameters: [{ name: 'id', in: 'path', description: 'The id of the change.', schema: { type: 'string' } }],
      responses: {
        200: 'What was deleted, and the documents that still contain it because they must not be rewritten.',
        404: 'The log has no such change.',
        503: 'The provable log cannot be written now.',
      },
      answer: {
        mediaType: JSON_TYPE,
        schema: {
          type: 'object',
          required: ['id', 'fields', 'kept'],
          properties: {
            id: { type: 'string' },
            fields: { type: 'array', items: { type: 'string' } },
            kept: { type: 'array', items: { type: 'string' } },
          },
        },
      },
      handle: withProblems(async ({ params: { id = '' } }) => {
        const redacted = await redact(id);
        if (redacted === undefined)
          return problem({ status: 404, detail: `The log has no change ${JSON.stringify(id.slice(0, 80))}.` });
        return uncachedJson(200, redacted);
      }),
    },
  ];
}
