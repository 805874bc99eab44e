import type { StreamedChange } from '../../../stream/change-stream.ts';
import type { DialectEvent } from '../../shelves/hub-shelves.ts';
import type { CheckWord } from '../../store/hub-store.ts';
import { CHANGE_LINE_SCHEMA, listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';
import type { ChangeLine } from './change-line.ts';
import { TEXT_FACTS_SCHEMA, type TextFacts } from './text-facts.ts';

/** A change in full: what it is, why it matters, how it was learned, its place in the log. */
export interface ChangeFacts {
  /** As `/api/v1/changes` shows it. */
  readonly change: StreamedChange;
  /** The title of its source; absent if that is no longer watched. */
  readonly sourceTitle?: string;
  readonly text: TextFacts;
  /** The looks at the source around it, as far as they are kept. */
  readonly checks: { readonly found?: NearCheck; readonly before?: NearCheck };
  readonly log: ChangePlace;
  /** The change as each dialect has written it. */
  readonly events: readonly DialectEvent[];
}

export interface NearCheck {
  readonly at: string;
  readonly tookMs: number;
  readonly outcome: CheckWord;
  readonly changes: number;
  readonly pages?: number;
}

/** The place of a change in the log. */
export interface ChangePlace {
  readonly previous?: ChangeLine;
  readonly next?: ChangeLine;
  /** The changes of its source that were appended together with it. */
  readonly run: { readonly changes: number; readonly isMore?: true };
}

const text = { type: 'string' } as const;
const check = objectSchema({
  at: { type: 'string', format: 'date-time' },
  tookMs: WHOLE_SCHEMA,
  outcome: { enum: ['ok', 'fallback', 'error'] },
  changes: WHOLE_SCHEMA,
  'pages?': WHOLE_SCHEMA,
});

export const CHANGE_FACTS_SCHEMA = objectSchema({
  change: { type: 'object', description: 'The change, as in /api/v1/changes.' },
  'sourceTitle?': text,
  text: TEXT_FACTS_SCHEMA,
  checks: objectSchema({ 'found?': check, 'before?': check }),
  log: objectSchema({
    'previous?': CHANGE_LINE_SCHEMA,
    'next?': CHANGE_LINE_SCHEMA,
    run: objectSchema({
      changes: WHOLE_SCHEMA,
      'isMore?': { const: true, description: 'true: there may be more changes than counted.' },
    }),
  }),
  events: listSchema(objectSchema({ dialect: text, words: text, path: text, mediaType: text, 'text?': text })),
});
