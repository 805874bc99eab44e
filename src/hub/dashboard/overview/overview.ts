import type { ShelfLinks } from '../../../dialects/shelf.ts';
import type { Change } from '../../../model/change.ts';
import type { Catalogue, SourceTally } from '../../catalogue/catalogue.ts';
import { oneOf } from '../../config/setting-decoders.ts';
import type { JobBoard } from '../../jobs/job-board.ts';
import { JOB_SCHEMA, viewJob } from '../../jobs/job-view.ts';
import { queryFields } from '../../routes/query-fields.ts';
import type { Watch } from '../../watch/watch-port.ts';
import { ACTIVITY_SCHEMA, daysUpTo, PERIODS, type Period, readActivity } from '../activity.ts';
import { changeLine } from '../changes/change-line.ts';
import { boardOf } from '../sources/source-board.ts';
import { sourceLine } from '../sources/source-line.ts';
import { presentFields, type View } from '../view.ts';
import { CHANGE_LINE_SCHEMA, listSchema, objectSchema, SOURCE_LINE_SCHEMA, WHOLE_SCHEMA } from '../view-schemas.ts';
import type { OverviewFacts } from './overview-facts.ts';
import { overviewHtml } from './overview-html.ts';

export interface OverviewParts {
  readonly watch: Pick<Watch, 'sources' | 'unwritable'>;
  /** The newest changes, newest first. From memory. */
  recentChanges(): readonly Change[];
  readonly catalogue: Pick<Catalogue, 'tallies' | 'busiestSources'>;
  links(): readonly ShelfLinks[];
  baseUrl(): string;
  /** Long work that runs now. Absent: unknown. */
  readonly jobs?: Pick<JobBoard, 'running'>;
  now(): number;
}

const SCHEMA = objectSchema({
  states: { type: 'object', additionalProperties: WHOLE_SCHEMA },
  sources: WHOLE_SCHEMA,
  changes: WHOLE_SCHEMA,
  attention: listSchema(SOURCE_LINE_SCHEMA),
  recent: listSchema(CHANGE_LINE_SCHEMA),
  'activity?': ACTIVITY_SCHEMA,
  busiest: listSchema(objectSchema({ source: { type: 'string' }, changes: WHOLE_SCHEMA })),
  writable: { type: 'boolean' },
  jobs: listSchema(JOB_SCHEMA),
});
const MAX_ATTENTION = 10;
const MAX_RECENT = 20;
const MAX_BUSIEST = 5;
const MAX_JOBS = 10;

/** The first page: how the sources are, what needs somebody, what happened last. */
export function overviewView(parts: OverviewParts): View<OverviewFacts> {
  const { watch, now } = parts;
  return {
    path: '/',
    summary: 'Overview: the state of the sources, what needs attention, and the latest changes.',
    schema: SCHEMA,
    parameters: [
      {
        name: 'by',
        in: 'query',
        description: 'Period of the activity chart. Default: day.',
        schema: { enum: PERIODS },
      },
    ],
    async read({ query }) {
      const { by = 'day' } = queryFields({ by: oneOf(PERIODS) }, presentFields(query, ['by']));
      const all = watch.sources();
      const recent = parts.recentChanges();
      const { states, ranked } = boardOf(all, (_, { isNeedy }) => isNeedy);
      return {
        states,
        sources: all.length,
        changes: recent[0]?.seq ?? 0,
        attention: ranked.slice(0, MAX_ATTENTION).map((source) => sourceLine(source, now())),
        ...(await readTimes(parts, by)),
        recent: recent.slice(0, MAX_RECENT).map(changeLine),
        writable: watch.unwritable === undefined,
        jobs: (parts.jobs?.running() ?? []).slice(0, MAX_JOBS).map(viewJob),
      };
    },
    show: (facts, asked) => ({
      title: `${facts.states.error === 0 ? 'All sources answer' : `${facts.states.error} in error`}`,
      place: 'overview',
      alternates: parts
        .links()
        .flatMap(({ alternate }) => (alternate === undefined ? [] : { title: 'All changes', ...alternate })),
      main: overviewHtml(facts, { ...asked, links: parts.links(), baseUrl: parts.baseUrl() }),
    }),
  };
}

async function readTimes(
  { catalogue, now }: Pick<OverviewParts, 'catalogue' | 'now'>,
  by: Period,
): Promise<Pick<OverviewFacts, 'activity' | 'busiest'>> {
  const nowMs = now();
  const activity = await readActivity(catalogue, { by, nowMs });
  if (activity === undefined) return { busiest: [] };
  const busiest = await catalogue.busiestSources(daysUpTo(nowMs, by), MAX_BUSIEST);
  const total = ({ source, creates, updates, deletes }: SourceTally) => ({
    source,
    changes: creates + updates + deletes,
  });
  return { activity, busiest: busiest.map(total) };
}
