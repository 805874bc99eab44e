import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { count, counted, timeHtml } from '../../http/html-pieces.ts';
import { type AdminRouteParts, actionPage, BEFORE } from '../../routes/admin-routes.ts';
import { queryFields } from '../../routes/query-fields.ts';
import {
  ACTION_SCHEMA,
  type ActionView,
  SESSION_SCHEMA,
  type SessionView,
  viewSession,
} from '../../sign-in/session-view.ts';
import type { Form } from '../form.ts';
import { actionButton, emptyState, pager } from '../pieces.ts';
import { type AskedView, presentFields, type View } from '../view.ts';
import { listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';

const ACTIONS_A_PAGE = 50;
const MOST_SESSIONS_SHOWN = 100;

interface AdminFacts {
  readonly total: number;
  readonly sessions: readonly SessionView[];
  readonly actions: readonly ActionView[];
  readonly next?: number;
}

/** Who did what, and who is signed in. */
export function adminView({ log, sessions }: AdminRouteParts): View<AdminFacts> {
  return {
    path: '/admin',
    summary: 'The log of actions (who, what, when, from where) and the current sessions.',
    role: 'admin',
    parameters: [
      {
        name: 'before',
        in: 'query',
        description: 'Only actions before this one: `next` of the previous page.',
        schema: WHOLE_SCHEMA,
      },
    ],
    schema: objectSchema({
      total: WHOLE_SCHEMA,
      sessions: listSchema(SESSION_SCHEMA),
      actions: listSchema(ACTION_SCHEMA),
      'next?': WHOLE_SCHEMA,
    }),
    read({ query }) {
      const { before } = queryFields({ before: BEFORE }, presentFields(query, ['before']));
      const all = sessions.all();
      return {
        total: all.length,
        sessions: all.slice(0, MOST_SESSIONS_SHOWN).map(viewSession),
        ...actionPage(log, ACTIONS_A_PAGE, before),
      };
    },
    show: (facts, asked) => ({
      title: 'Admin log',
      place: 'admin',
      main: html`<h1>Admin log</h1>
<p class="faint">What was done with the hub's token or by who signed in. The newest 10,000 actions are kept; what was sent with them is not.</p>
${actionsHtml(facts, asked)}
${sessionsHtml(facts, asked)}`,
    }),
  };
}

/** What can be done with sessions. */
export const ADMIN_FORMS: readonly Form[] = [
  {
    path: '/admin/sessions/end',
    role: 'admin',
    does: 'DELETE /api/v1/admin/sessions',
    end: () => ({ to: '' }),
    done: 'Everybody is signed out.',
  },
  {
    path: '/admin/sessions/:id/end',
    role: 'admin',
    does: 'DELETE /api/v1/admin/sessions/:id',
    end: () => ({ to: 'admin' }),
    done: 'The session has ended.',
  },
];

function actionsHtml({ actions, next }: AdminFacts, { root, query }: AskedView): Html {
  if (actions.length === 0) {
    return emptyState('Nothing was done yet.', 'Whatever is added, paused, issued or ended is written down here.');
  }
  const links = {
    newer: query.has('before') ? `${root}admin` : undefined,
    older: next === undefined ? undefined : `${root}admin?before=${next}`,
  };
  return html`<div class="scroll"><table>
<caption>Actions, newest first</caption>
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">On what</th><th scope="col">From</th><th scope="col">Answer</th></tr></thead>
<tbody>${actions.map(actionRow)}</tbody>
</table></div>
${pager(links)}`;
}

function actionRow({ at, who, action, on, from, status, times }: ActionView): Html {
  const named = Object.values(on).map((value, index) => html`${index > 0 ? ', ' : ''}${outsideText(value)}`);
  return html`<tr><td>${timeHtml(Date.parse(at))}</td><th scope="row">${outsideText(who)}</th><td><code>${outsideText(action)}</code>${times === undefined ? NO_HTML : html` × ${count(times)}`}</td><td>${named}</td><td>${outsideText(from)}</td><td>${status}</td></tr>\n`;
}

function sessionsHtml({ sessions, total }: AdminFacts, { root, viewer }: AskedView): Html {
  const everywhere = {
    action: `${root}admin/sessions/end`,
    words: 'Sign out everywhere',
    role: 'admin',
    warning: 'Everybody who is signed in, you included, has to sign in anew.',
  } as const;
  return html`<h2>Signed in</h2>
<p>${counted(total, 'session')}${total > sessions.length ? `, the newest ${sessions.length} of them:` : ''}</p>
<div class="scroll"><table>
<caption>Sessions, newest first</caption>
<thead><tr><th scope="col">Who</th><th scope="col">Role</th><th scope="col">Since</th><th scope="col">Last seen</th><th scope="col">From</th><th scope="col"><span class="hidden">What to do</span></th></tr></thead>
<tbody>${sessions.map((session) => sessionRow(session, root, viewer))}</tbody>
</table></div>
${actionButton(everywhere, viewer)}`;
}

function sessionRow(session: SessionView, root: string, viewer: AskedView['viewer']): Html {
  const { id, name, role, from } = session;
  const button = { action: `${root}admin/sessions/${id}/end`, words: 'End this session', role: 'admin' } as const;
  return html`<tr><th scope="row">${outsideText(name)}</th><td>${role}</td><td>${timeHtml(Date.parse(session.created_at))}</td><td>${timeHtml(Date.parse(session.seen_at))}</td><td>${outsideText(from)}</td><td>${actionButton(button, viewer)}</td></tr>\n`;
}
