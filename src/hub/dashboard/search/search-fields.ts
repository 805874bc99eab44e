import { readPathGlob } from '../../../extract/rules/path-glob.ts';
import type { Action, Kind } from '../../../model/change.ts';
import type { ChangeSearch } from '../../catalogue/catalogue.ts';
import { type Decode, oneOf, refused } from '../../config/setting-decoders.ts';
import type { RouteParameter } from '../../http/route.ts';
import { anyText, queryFields, wholeNumberText } from '../../routes/query-fields.ts';
import { presentFields } from '../view.ts';

/** A search, as in its address. */
export interface SearchFields {
  readonly q?: string;
  readonly source?: string;
  readonly action?: Action;
  readonly kind?: Kind;
  readonly path?: string;
  readonly from?: string;
  readonly to?: string;
}

export const SEARCH_ACTIONS = ['create', 'update', 'delete'] as const;
export const SEARCH_KINDS = ['page', 'endpoint'] as const;
const MOST_CHARACTERS = 200;
const MOST_SEQ = 999_999_999;
const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

const shortText: Decode<string> = (value, at) => anyText(value, at).slice(0, MOST_CHARACTERS).trim();

/** Also without its slash, as people write it. */
const glob: Decode<string> = (value, at) => {
  const text = shortText(value, at);
  const path = text.startsWith('/') ? text : `/${text}`;
  const read = readPathGlob(path);
  if (!read.ok) throw refused(at, value, read.issues[0]?.message ?? 'It is no path.');
  return path;
};

const moment: Decode<string> = (value, at) => {
  const text = shortText(value, at);
  if ((DAY.test(text) || MOMENT.test(text)) && !Number.isNaN(Date.parse(text))) return text;
  throw refused(at, value, 'Give a day like 2026-03-01, or a time like 2026-03-01T12:00:00Z.');
};

const SHAPE = {
  q: shortText,
  source: shortText,
  action: oneOf(SEARCH_ACTIONS),
  kind: oneOf(SEARCH_KINDS),
  path: glob,
  from: moment,
  to: moment,
};
const NAMES = Object.keys(SHAPE);

/** An empty field was not filled in. What is malformed is refused. */
export function readSearchFields(query: URLSearchParams): SearchFields {
  const fields = queryFields(SHAPE, presentFields(query, NAMES));
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

export function readBefore(query: URLSearchParams): number | undefined {
  return queryFields({ before: wholeNumberText(1, MOST_SEQ) }, presentFields(query, ['before'])).before;
}

/** A day is meant whole: `to` a day includes it. */
export function changeSearch({ q, from, to, ...rest }: SearchFields): ChangeSearch {
  return {
    ...rest,
    ...(q !== undefined && { words: q }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(to !== undefined && { toMs: Date.parse(to) + (DAY.test(to) ? DAY_MS : 1) }),
  };
}

/** The search as an address has it; '' for one that names nothing. */
export function searchQuery(fields: SearchFields, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...fields, ...more });
  return query.size === 0 ? '' : `?${query}`;
}

/** In plain words: `Changes with "rate limit" in docs below /guide/**`. */
export function searchTitle({ q, source, action, kind, path, from, to }: SearchFields): string {
  const words = [
    action === undefined ? 'Changes' : `Changes (${action})`,
    kind === undefined ? '' : `of ${kind}s`,
    q === undefined ? '' : `with “${q}”`,
    source === undefined ? '' : `in ${source}`,
    path === undefined ? '' : `at ${path}`,
    from === undefined ? '' : `from ${from}`,
    to === undefined ? '' : `to ${to}`,
  ];
  return words.filter((word) => word !== '').join(' ');
}

const text = { type: 'string', maxLength: MOST_CHARACTERS } as const;
const day = { type: 'string', examples: ['2026-03-01', '2026-03-01T12:00:00Z'] } as const;

export const SEARCH_PARAMETERS: readonly RouteParameter[] = [
  {
    name: 'q',
    in: 'query',
    description: 'Words or beginnings of words. All must match.',
    schema: text,
  },
  { name: 'source', in: 'query', description: 'Only this source, by its id.', schema: text },
  { name: 'action', in: 'query', description: 'The action of the change.', schema: { enum: SEARCH_ACTIONS } },
  { name: 'kind', in: 'query', description: 'The kind of what changed.', schema: { enum: SEARCH_KINDS } },
  { name: 'path', in: 'query', description: 'A path pattern, such as `/guide/**`.', schema: text },
  { name: 'from', in: 'query', description: 'Earliest day or time, in UTC.', schema: day },
  { name: 'to', in: 'query', description: 'Latest day or time, in UTC.', schema: day },
];
