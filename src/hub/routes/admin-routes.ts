import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import type { AdminLog, KeptAction } from '../sign-in/admin-log.ts';
import { ACTION_SCHEMA, SESSION_SCHEMA, sessionId, viewAction, viewSession } from '../sign-in/session-view.ts';
import type { Sessions } from '../sign-in/sessions.ts';
import { limitParameter, queryFields, wholeNumberText } from './query-fields.ts';

export interface AdminRouteParts {
  readonly log: Pick<AdminLog, 'read'>;
  readonly sessions: Pick<Sessions, 'all' | 'end'>;
}

const LOG = '/api/v1/admin/log';
const SESSIONS = '/api/v1/admin/sessions';
const DEFAULT_PAGE = 100;
const MOST_ON_PAGE = 1000;
const MOST_SEQ = 999_999_999;

export const BEFORE = wholeNumberText(1, MOST_SEQ);

/** A page of the log, and where the next one begins. */
export function actionPage(log: AdminRouteParts['log'], limit: number, before: number | undefined) {
  const found: readonly KeptAction[] = log.read(limit + 1, before);
  const shown = found.slice(0, limit);
  const last = shown.at(-1)?.seq;
  return { actions: shown.map(viewAction), ...(found.length > limit && last !== undefined && { next: last }) };
}

/** Routes for the log of admin actions and for sessions. */
export function adminRoutes({ log, sessions }: AdminRouteParts): Route[] {
  return [
    {
      method: 'GET',
      path: LOG,
      access: 'admin',
      summary: 'List actions taken with the token or by signed-in people, newest first. The newest 10,000 are kept.',
      parameters: [
        {
          name: 'before',
          in: 'query',
          description: 'Only actions before this one: `next` of the previous page.',
          schema: { type: 'integer' },
        },
        limitParameter(MOST_ON_PAGE, DEFAULT_PAGE),
      ],
      responses: { 200: 'A page of actions.', 400: 'A parameter is malformed.' },
      answer: {
        mediaType: JSON_TYPE,
        schema: {
          type: 'object',
          required: ['actions'],
          properties: { actions: { type: 'array', items: ACTION_SCHEMA }, next: { type: 'integer' } },
        },
      },
      handle: withProblems(({ query }) => {
        const shape = { limit: wholeNumberText(1, MOST_ON_PAGE), before: BEFORE };
        const { limit = DEFAULT_PAGE, before } = queryFields(shape, query);
        return uncachedJson(200, actionPage(log, limit, before));
      }),
    },
    ...sessionRoutes(sessions),
  ];
}

function sessionRoutes(sessions: AdminRouteParts['sessions']): Route[] {
  const ended = { type: 'object', required: ['ended'], properties: { ended: { type: 'integer' } } };
  return [
    {
      method: 'GET',
      path: SESSIONS,
      access: 'admin',
      summary: 'List the sessions of the people who are signed in.',
      responses: { 200: 'The sessions, newest first.' },
      answer: {
        mediaType: JSON_TYPE,
        schema: {
          type: 'object',
          required: ['sessions'],
          properties: { sessions: { type: 'array', items: SESSION_SCHEMA } },
        },
      },
      handle: () => uncachedJson(200, { sessions: sessions.all().map(viewSession) }),
    },
    {
      method: 'DELETE',
      path: SESSIONS,
      access: 'admin',
      summary: 'End all sessions. Everybody must sign in again.',
      responses: { 200: 'The number of sessions that were ended.' },
      answer: { mediaType: JSON_TYPE, schema: ended },
      handle: withProblems(async () => uncachedJson(200, { ended: await sessions.end(() => true) })),
    },
    {
      method: 'DELETE',
      path: `${SESSIONS}/:id`,
      access: 'admin',
      summary: 'End one session.',
      parameters: [
        { name: 'id', in: 'path', required: true, description: 'The id of the session.', schema: { type: 'string' } },
      ],
      responses: { 200: 'The session has ended.', 404: 'There is no such session.' },
      answer: { mediaType: JSON_TYPE, schema: ended },
      handle: withProblems(async ({ params }) => {
        const count = await sessions.end((session) => sessionId(session) === params.id);
        return count > 0 ? uncachedJson(200, { ended: count }) : problem({ status: 404, detail: GONE });
      }),
    },
  ];
}

const GONE = 'There is no such session, or it has ended.';
