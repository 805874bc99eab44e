import { boundaryOf } from '../../../codecs/aicf/boundary.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { isUlid } from '../../../codecs/primitives/ulid.ts';
import { changeCutError, noSuchChangeError } from '../../../errors/refusals.ts';
import type { Change } from '../../../model/change.ts';
import { SALTED_FIELDS } from '../../../tlog/with-salts.ts';
import { oneOf } from '../../config/setting-decoders.ts';
import { ARCHIVES_PATH } from '../../http/gone-document.ts';
import type { LogArchives } from '../../retention/log-archives.ts';
import { queryFields } from '../../routes/query-fields.ts';
import type { DialectEvent, HubShelves } from '../../shelves/hub-shelves.ts';
import type { CheckRecord, HubStore } from '../../store/hub-store.ts';
import type { Watch } from '../../watch/watch-port.ts';
import { explainChange } from '../../why/explain-change.ts';
import { changesAround, pageVersions } from '../../why/page-versions.ts';
import { presentFields, type View } from '../view.ts';
import { CHANGE_FACTS_SCHEMA, type ChangeFacts, type ChangePlace, type NearCheck } from './change-facts.ts';
import { changeHtml, changeName } from './change-html.ts';
import { changeLine } from './change-line.ts';
import { DIFF_LOOKS } from './diff-html.ts';
import { MAX_LINES } from './diff-rows.ts';
import { boundaryTexts, textFacts } from './text-facts.ts';

export interface ChangeViewParts {
  readonly store: Pick<
    HubStore,
    'changeById' | 'changes' | 'snapshot' | 'pageOf' | 'checksOf' | 'logStart' | 'redactions'
  >;
  readonly shelves: Pick<HubShelves, 'eventsOf'>;
  readonly watch: Pick<Watch, 'source'>;
  readonly archives: Pick<LogArchives, 'holding'>;
}

/** How many changes on each side are searched for those of the same run. */
const NEAR_CHANGES = 50;
const NEAR_CHECKS = 100;
const MAX_EVENT = 32 * 1024;

/** One change: the texts before and after, how it was learned, its place in the log, and how each dialect writes it. */
export function changeView(parts: ChangeViewParts): View<ChangeFacts> {
  return {
    path: '/changes/:id',
    summary: 'One change: the text before and after, how it was found, and its form in each dialect.',
    parameters: [
      { name: 'id', in: 'path', required: true, description: 'The id of the change.', schema: { type: 'string' } },
      { name: 'look', in: 'query', description: 'How the comparison is shown.', schema: { enum: DIFF_LOOKS } },
    ],
    schema: CHANGE_FACTS_SCHEMA,
    async read({ params: { id = '' } }) {
      const change = await changeOf(id, parts);
      const { store, shelves, watch } = parts;
      const around = await changesAround(change, NEAR_CHANGES, store);
      const versions = await pageVersions(change, around, store);
      const { checks, text } = explainChange(
        change,
        { ...versions, mostLines: MAX_LINES },
        await store.checksOf(change.source, NEAR_CHECKS),
      );
      const source = watch.source(change.source);
      return {
        change: { ...change, boundary: boundaryOf(change) },
        ...(source !== undefined && { sourceTitle: source.config.title ?? change.source }),
        text: textFacts(boundaryTexts(change.anchor, versions), text),
        checks: {
          ...(checks.found !== undefined && { found: checkLine(checks.found) }),
          ...(checks.before !== undefined && { before: checkLine(checks.before) }),
        },
        log: logPlace(change, around),
        events: (await shelves.eventsOf(change)).map((event) => shownEvent(event, mayBeQuoted(change, store))),
      };
    },
    show(facts, { root, query }) {
      const { look = 'side' } = queryFields({ look: oneOf(DIFF_LOOKS) }, presentFields(query, ['look']));
      return { title: changeName(facts), main: changeHtml(facts, look, root) };
    },
  };
}

/** For a long one, only its place is shown. */
function shownEvent({ text, ...event }: DialectEvent, isQuoted: boolean): DialectEvent {
  return text === undefined || text.length > MAX_EVENT || !isQuoted ? event : { ...event, text };
}

/** Documents that stay as they are may hold texts that were taken out of the log: this page does not repeat them. */
function mayBeQuoted(change: Change, store: Pick<HubStore, 'redactions'>): boolean {
  return store.redactions() === 0 || SALTED_FIELDS.some((field) => field !== 'note' && change[field] !== undefined);
}

async function changeOf(id: string, { store, archives }: ChangeViewParts): Promise<Change> {
  const change = isUlid(id) ? await store.changeById(id) : undefined;
  if (change !== undefined) return change;
  const begins = store.logStart();
  if (!isUlid(id) || begins === undefined || id > begins.id) throw noSuchChangeError(id);
  const archive = await archives.holding(id);
  throw changeCutError(id, archive && `${ARCHIVES_PATH}/${archive.name}`);
}

function checkLine({ atMs, tookMs, outcome, changes, pages }: CheckRecord): NearCheck {
  return { at: formatTime(atMs), tookMs, outcome, changes, ...(pages !== undefined && { pages }) };
}

function logPlace(change: Change, around: readonly Change[]): ChangePlace {
  const place = around.findIndex(({ seq }) => seq === change.seq);
  const [previous, next] = [around[place - 1], around[place + 1]];
  const isOfRun = ({ source, time }: Change) => source === change.source && time === change.time;
  // There may be more changes beyond the last one that was examined.
  const mayGoOn = [around[place - NEAR_CHANGES], around[place + NEAR_CHANGES]].some((end) => end && isOfRun(end));
  return {
    ...(previous !== undefined && { previous: changeLine(previous) }),
    ...(next !== undefined && { next: changeLine(next) }),
    run: { changes: around.filter(isOfRun).length, ...(mayGoOn && { isMore: true }) },
  };
}
