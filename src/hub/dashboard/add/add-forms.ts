import type { SourcePreview } from '../../preview/source-preview.ts';
import type { SourceView } from '../../routes/source-view.ts';
import type { EndedForm, Form, RefusedForm } from '../form.ts';
import { addPage, refusedPage } from './add-html.ts';
import { type PlannedSources, planPage, refusedListPage } from './list-html.ts';
import type { WatchFields } from './watch-html.ts';

/** What the page that adds sources sends. */
export const ADD_FORMS: readonly Form[] = [
  {
    path: '/add/preview',
    role: 'operate',
    does: 'POST /api/v1/sources/preview',
    bodyOf: (fields) => ({ url: fields.get('url') ?? '', ...rulesOf(fields) }),
    end: ({ fields, answer, ...asked }: EndedForm<SourcePreview>) => ({
      page: addPage({ url: answer.url, preview: answer }, asked, namesTyped(fields)),
    }),
    refused: refusedWatch,
    done: 'Nothing was recorded.',
  },
  {
    path: '/add/watch',
    role: 'operate',
    does: 'POST /api/v1/sources',
    bodyOf: (fields) => ({ ...placeOf(fields), ...namesOf(fields), ...rulesOf(fields) }),
    end: ({ answer }: EndedForm<Pick<SourceView, 'id'>>) => ({ to: `sources/${encodeURIComponent(answer.id)}` }),
    refused: refusedWatch,
    done: 'It is watched from now on, and read at once.',
  },
  {
    path: '/add/list',
    role: 'operate',
    does: 'POST /api/v1/sources/import',
    bodyOf: (fields) => ({ list: fields.get('list') ?? '', dryRun: true }),
    end: ({ fields, answer, ...asked }: EndedForm<PlannedSources>) => ({
      page: planPage(answer, fields.get('list') ?? '', asked),
    }),
    refused: refusedList,
    done: 'Nothing was added yet.',
  },
  {
    path: '/add/import',
    role: 'operate',
    does: 'POST /api/v1/sources/import',
    bodyOf: (fields) => ({ list: fields.get('list') ?? '', skipExisting: true }),
    end: () => ({ to: 'sources' }),
    refused: refusedList,
    done: 'The sources are watched from now on, and read one after another.',
  },
];

/** Who has changed a name before he looked again finds it as he left it. */
function namesTyped(fields: URLSearchParams): Partial<WatchFields> {
  const names = ['id', 'title', 'interval'] as const;
  const typed = names.map((name) => [name, fields.get(name)?.trim()] as const);
  return Object.fromEntries(typed.filter(([name, text]) => text !== undefined && (text !== '' || name === 'title')));
}

function namesOf(fields: URLSearchParams) {
  const title = (fields.get('title') ?? '').trim();
  const interval = (fields.get('interval') ?? '').trim();
  return {
    id: (fields.get('id') ?? '').trim(),
    ...(title !== '' && { title }),
    // The API refuses anything but a number by name.
    ...(interval !== '' && { intervalSeconds: /^\d+$/.test(interval) ? Number(interval) : interval }),
  };
}

/** Rules that are ticked, and those that are written. Twice the same is one. */
function rulesOf(fields: URLSearchParams) {
  const ignore = [...new Set([...fields.getAll('ignore'), ...linesOf(fields.get('rules'))])];
  const only = [...new Set(linesOf(fields.get('only')))];
  return { ...(ignore.length > 0 && { ignore }), ...(only.length > 0 && { only }) };
}

function linesOf(text: string | null): readonly string[] {
  return (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The setting from the preview. The API checks it again. */
function placeOf(fields: URLSearchParams): object {
  try {
    const place: unknown = JSON.parse(fields.get('place') ?? '');
    return typeof place === 'object' && place !== null ? place : {};
  } catch {
    return {};
  }
}

function refusedWatch({ fields, problem, ...asked }: RefusedForm) {
  const { ignore = [], only = [] } = rulesOf(fields);
  const filled: WatchFields = {
    url: fields.get('url') ?? '',
    place: fields.get('place') ?? '',
    id: fields.get('id') ?? '',
    title: fields.get('title') ?? '',
    interval: fields.get('interval') ?? '',
    ignore,
    only,
    problem,
  };
  return refusedPage(filled, asked);
}

function refusedList({ fields, problem, ...asked }: RefusedForm) {
  return refusedListPage({ list: fields.get('list') ?? '', problem }, asked);
}
