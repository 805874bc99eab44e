import type { Uses } from '../../../model/uses.ts';
import type { VolatileParts } from '../../../model/volatile-parts.ts';
import type { SourceConfig } from '../../config/source-config.ts';
import type { WebSubView } from '../../push/subscriber/websub-view.ts';
import type { HonestyView } from '../../routes/source-view.ts';
import type { CheckWord, WatchedSource } from '../../store/hub-store.ts';
import { ACTIVITY_SCHEMA, type Activity } from '../activity.ts';
import type { ChangeLine } from '../changes/change-line.ts';
import { CHANGE_LINE_SCHEMA, listSchema, objectSchema, SOURCE_LINE_SCHEMA, WHOLE_SCHEMA } from '../view-schemas.ts';
import type { CheckStretch } from './check-strip.ts';
import type { SourceLine } from './source-line.ts';

/** One source as its page shows it. Fields for people who are signed in are absent for others. */
export interface SourceFacts extends VolatileParts {
  readonly source: SourceLine;
  readonly addedAt: string;
  /** The first addresses at which it is read. Mirrors and sitemaps only for people who are signed in. */
  readonly asks: { readonly urls: readonly string[]; readonly more: number };
  readonly rhythm: SourceRhythm;
  readonly pauses: readonly SourcePause[];
  /** For a source of kind `auto`. */
  readonly ladder?: LadderFacts;
  /** Whether a hub pushes its news. */
  readonly websub?: Partial<WebSubView> & Pick<WebSubView, 'state' | 'trusted'>;
  /** Whether its feed told the truth. Pages with findings only for people who are signed in. */
  readonly honesty?: Omit<HonestyView, 'pages'> & Partial<Pick<HonestyView, 'pages'>>;
  /** What its publisher says about the use of its first page. */
  readonly terms?: { readonly url: string; readonly uses: Uses };
  readonly feeds: readonly SourceFeedLine[];
  /** Of the newest checks, the oldest first. */
  readonly stretches: readonly CheckStretch[];
  /** The newest checks, newest first. */
  readonly checks: readonly CheckLine[];
  /** Changes over time. Absent while the catalogue cannot be used. */
  readonly activity?: Activity;
  /** Newest first. */
  readonly recent: readonly ChangeLine[];
  /** For people who are signed in. */
  readonly settings?: SourceSettings;
}

export interface SourceRhythm {
  readonly everySeconds: number;
  /** Its operator gave it; else it adapts. */
  readonly isGiven: boolean;
  /** The time between two checks, while a hub pushes its news. */
  readonly restSeconds?: number;
  readonly nextCheckAt?: string;
}

/** Why it is not asked, and who wants that. */
export interface SourcePause {
  readonly by: 'operator' | 'owner' | 'domain' | 'key' | 'host';
  readonly reason?: string;
  readonly host?: string;
  readonly until?: string;
}

export interface LadderFacts {
  readonly readBy: 'feed' | 'pages';
  readonly dialect?: string;
  readonly since: string;
  /** How often it fell or returned. */
  readonly turns: number;
  /** Why not by its feed. For people who are signed in. */
  readonly reason?: string;
}

export interface SourceFeedLine {
  readonly words: string;
  /** Below the hub. */
  readonly path: string;
  readonly url: string;
  readonly mediaType?: string;
}

export interface CheckLine {
  readonly at: string;
  readonly outcome: CheckWord;
  readonly tookMs: number;
  readonly changes: number;
  readonly pages?: number;
  readonly unread?: number;
  readonly code?: string;
  /** What went wrong in words, and what a person should know. For people who are signed in. */
  readonly error?: string;
  readonly notes?: readonly string[];
}

export interface SourceSettings {
  readonly origin: WatchedSource['origin'];
  /** How the API key begins that added it. Absent: it is the admin's. */
  readonly owner?: string;
  readonly config: SourceConfig;
  readonly notes: readonly string[];
  readonly error?: string;
  /** The next check may take much for gone. */
  readonly allowDeletes: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const moment = { type: 'string', format: 'date-time' } as const;
const outcome = { enum: ['ok', 'fallback', 'error'] } as const;

export const SOURCE_FACTS_SCHEMA = objectSchema({
  source: SOURCE_LINE_SCHEMA,
  addedAt: moment,
  asks: objectSchema({ urls: listSchema(text), more: WHOLE_SCHEMA }),
  rhythm: objectSchema({
    everySeconds: { type: 'number' },
    isGiven: { ...flag, description: 'true: the interval is configured. false: it adapts.' },
    'restSeconds?': { type: 'number' },
    'nextCheckAt?': moment,
  }),
  pauses: listSchema(
    objectSchema({
      by: { enum: ['operator', 'owner', 'domain', 'key', 'host'] },
      'reason?': text,
      'host?': text,
      'until?': moment,
    }),
  ),
  'ladder?': objectSchema({
    readBy: { enum: ['feed', 'pages'] },
    'dialect?': text,
    since: moment,
    turns: WHOLE_SCHEMA,
    'reason?': text,
  }),
  'websub?': objectSchema({ state: { enum: ['active', 'pending', 'denied', 'failed'] }, trusted: flag }),
  'honesty?': objectSchema({
    at: moment,
    sampled: WHOLE_SCHEMA,
    compared: WHOLE_SCHEMA,
    toldAndTrue: WHOLE_SCHEMA,
    toldNotSeen: WHOLE_SCHEMA,
    seenNotTold: WHOLE_SCHEMA,
  }),
  'terms?': objectSchema({ url: text, uses: { type: 'object' } }),
  feeds: listSchema(objectSchema({ words: text, path: text, url: text, 'mediaType?': text })),
  stretches: listSchema(objectSchema({ outcome, from: moment, to: moment, checks: WHOLE_SCHEMA })),
  checks: listSchema(
    objectSchema({
      at: moment,
      outcome,
      tookMs: { type: 'number' },
      changes: WHOLE_SCHEMA,
      'pages?': WHOLE_SCHEMA,
      'unread?': WHOLE_SCHEMA,
      'code?': text,
      'error?': { ...text, description: 'Only for people who are signed in.' },
      'notes?': listSchema(text),
    }),
  ),
  'activity?': ACTIVITY_SCHEMA,
  recent: listSchema(CHANGE_LINE_SCHEMA),
  'volatile?': listSchema({ type: 'object', description: 'Blocks whose changes are held back.' }),
  'unstable?': listSchema(text),
  'settings?': objectSchema({
    origin: { enum: ['config', 'api'] },
    'owner?': text,
    config: { $ref: '#/components/schemas/SourceConfig' },
    notes: listSchema(text),
    'error?': text,
    allowDeletes: flag,
  }),
});
