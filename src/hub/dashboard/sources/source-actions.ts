import { EDITABLE_KEYS } from '../../config/edited-source.ts';
import { type Html, html, NO_HTML } from '../../http/html.ts';
import { mayAct, type Role, type Viewer } from '../../sign-in/viewer.ts';
import type { Form } from '../form.ts';
import { type ActionButton, actionButton, actionForm } from '../pieces.ts';

/** What can be done with a source by a button. */
export type SourceAction = 'check' | 'pause' | 'resume' | 'allow-deletes' | 'edit' | 'retrust' | 'remove';

interface ActionFacts extends Pick<ActionButton, 'words' | 'warning'> {
  readonly role: Role;
  readonly does: Form['does'];
  readonly done: string;
  readonly bodyOf?: (fields: URLSearchParams) => unknown;
}

const SOURCE = '/api/v1/sources/:id';
const MAX_REASON = 500;
/** Settings that are lists: a form has one on each line. */
const LISTS: readonly string[] = ['tags', 'include', 'exclude', 'ignore', 'only', 'fallbacks'];
const NUMBERS: readonly string[] = ['intervalSeconds', 'maxPages'];
const FLAGS: readonly string[] = ['cleanUrls'];

const ACTIONS: Readonly<Record<SourceAction, ActionFacts>> = {
  check: { words: 'Check now', role: 'operate', does: `POST ${SOURCE}/check`, done: 'It is looked at now.' },
  pause: {
    words: 'Pause',
    role: 'operate',
    does: `POST ${SOURCE}/pause`,
    done: 'The source is paused.',
    bodyOf: (fields) => {
      const reason = fields.get('reason')?.trim() ?? '';
      return reason === '' ? {} : { reason };
    },
  },
  resume: {
    words: 'Resume',
    role: 'operate',
    does: `POST ${SOURCE}/resume`,
    done: 'It is watched again, from now on.',
  },
  'allow-deletes': {
    words: 'Resume and allow deletes',
    role: 'operate',
    does: `POST ${SOURCE}/resume`,
    done: 'It is looked at now, and what is gone is told as deleted.',
    warning:
      'Look at the source first: the next check tells each page that is gone as deleted, however many these are.',
    bodyOf: () => ({ allowDeletes: true }),
  },
  edit: {
    words: 'Save',
    role: 'operate',
    does: `PATCH ${SOURCE}`,
    done: 'The settings count from now on.',
    bodyOf: settingsOfForm,
  },
  retrust: {
    words: 'Trust it again',
    role: 'admin',
    does: `POST ${SOURCE}/retrust`,
    done: 'The feed is trusted again, and looked at now.',
    warning: 'Its origin said that this feed ended, moved or must not be believed. Trust it only when you know why.',
    bodyOf: (fields) => (fields.has('moved') ? { moved: true } : {}),
  },
  remove: {
    words: 'Remove',
    role: 'admin',
    does: `DELETE ${SOURCE}`,
    done: 'The source is not watched any more.',
    warning: 'What is known of it is forgotten: pages, checks, its place in its feed. Its changes stay in the log.',
  },
};

/** The forms behind the buttons. */
export const SOURCE_FORMS: readonly Form[] = (Object.keys(ACTIONS) as SourceAction[]).map((action) => {
  const { role, does, done, bodyOf } = ACTIONS[action];
  return {
    path: `/sources/:id/${action}`,
    role,
    does,
    done,
    ...(bodyOf !== undefined && { bodyOf }),
    end: ({ params: { id = '' } }) => ({ to: action === 'remove' ? 'sources' : `sources/${encodeURIComponent(id)}` }),
  };
});

/** The context of a button: its source, the viewer, the path to the hub. */
export interface ActionPlace {
  readonly id: string;
  readonly root: string;
  readonly viewer: Viewer;
}

/** The button of an action, for people who may press it. */
export function sourceButton(action: SourceAction, place: ActionPlace, isMain = false): Html {
  const { role, words, warning } = ACTIONS[action];
  if (!mayAct(place.viewer, role)) return NO_HTML;
  if (action === 'pause') return openedForm(action, place, REASON);
  if (action === 'retrust') return openedForm(action, place, MOVED);
  return actionButton(
    { action: formAddress(action, place), words, role, isMain, ...(warning !== undefined && { warning }) },
    place.viewer,
  );
}

/** The form of an action around fields, with its button after them. */
export function sourceForm(action: SourceAction, place: ActionPlace, fields: Html): Html {
  return actionForm(formAddress(action, place), place.viewer, [
    fields,
    html`<button class="main">${ACTIONS[action].words}</button>`,
  ]);
}

const REASON = html`<p><label for="reason">Why? Everybody can read it.</label><input id="reason" name="reason" maxlength="${MAX_REASON}"></p>`;
const MOVED = html`<p><label><input type="checkbox" name="moved"> The feed that it moved to, instead of its own</label></p>`;

function openedForm(action: SourceAction, place: ActionPlace, fields: Html): Html {
  const { words, warning } = ACTIONS[action];
  return html`<details class="confirm"><summary>${words} …</summary>${warning !== undefined && html`<p>${warning}</p>`}${sourceForm(action, place, fields)}</details>`;
}

function formAddress(action: SourceAction, { id, root }: ActionPlace): string {
  return `${root}sources/${encodeURIComponent(id)}/${action}`;
}

/** For each setting of the form: the given value, or null if it is empty. Invalid values are left to the API to refuse. */
function settingsOfForm(fields: URLSearchParams): Readonly<Record<string, unknown>> {
  const given = EDITABLE_KEYS.filter((key) => fields.has(key));
  return Object.fromEntries(given.map((key) => [key, settingOf(key, fields.get(key)?.trim() ?? '')]));
}

function settingOf(key: string, written: string): unknown {
  if (written === '') return null;
  if (LISTS.includes(key)) return written.split(/\r?\n/).flatMap((line) => line.trim() || []);
  if (NUMBERS.includes(key)) return /^\d{1,12}$/.test(written) ? Number(written) : written;
  return FLAGS.includes(key) ? written === 'true' : written;
}
