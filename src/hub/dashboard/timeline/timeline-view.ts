import { boundaryOf } from '../../../codecs/aicf/boundary.ts';
import { isUlid } from '../../../codecs/primitives/ulid.ts';
import { noSuchChangeError } from '../../../errors/refusals.ts';
import type { Change } from '../../../model/change.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { oneOf, refused } from '../../config/setting-decoders.ts';
import { anyText, queryFields, wholeNumberText } from '../../routes/query-fields.ts';
import type { HubStore } from '../../store/hub-store.ts';
import { changeLine } from '../changes/change-line.ts';
import { DIFF_LOOKS, type DiffLook } from '../changes/diff-html.ts';
import { presentFields, type View } from '../view.ts';
import { compareVersions } from './compare-versions.ts';
import { TIMELINE_SCHEMA, type TimelineFacts, type VersionLine } from './timeline-facts.ts';
import { timelineHtml, timelineTitle } from './timeline-html.ts';

export interface TimelineParts {
  readonly catalogue: Pick<Catalogue, 'timeline' | 'standing'>;
  readonly store: Pick<HubStore, 'changeById' | 'snapshot' | 'pageOf'>;
}

const PAGE = 50;
const FIELDS = ['source', 'url', 'anchor', 'before', 'a', 'b', 'look'];
const MAX_SEQ = Number.MAX_SAFE_INTEGER;

/** Every version of a page or a section that the log has, newest first, and a comparison of any two. */
export function timelineView({ catalogue, store }: TimelineParts): View<TimelineFacts> {
  const text = { type: 'string' } as const;
  return {
    path: '/timeline',
    summary: 'Every version of a page or section, newest first, and a comparison of any two.',
    parameters: [
      { name: 'source', in: 'query', required: true, description: 'The id of the source.', schema: text },
      { name: 'url', in: 'query', required: true, description: 'The URL of the page.', schema: text },
      { name: 'anchor', in: 'query', description: 'The anchor of the section. Absent: the whole page.', schema: text },
      {
        name: 'before',
        in: 'query',
        description: 'Only changes before this seq of the log.',
        schema: { type: 'integer' },
      },
      {
        name: 'a',
        in: 'query',
        description: 'The id of the first change to compare. Absent: the two newest are compared.',
        schema: text,
      },
      { name: 'b', in: 'query', description: 'The id of the second change to compare.', schema: text },
      { name: 'look', in: 'query', description: 'How the comparison is shown.', schema: { enum: DIFF_LOOKS } },
    ],
    schema: TIMELINE_SCHEMA,
    async read({ query }) {
      const { source, url, anchor, before, a, b } = askedOf(query);
      const found = await catalogue.timeline({ source, url, anchor, before, limit: PAGE });
      const chosen =
        a === undefined && b === undefined
          ? found.changes.slice(0, 2)
          : await chosenChanges([a, b], found.changes, store);
      for (const change of chosen) ensureOfPage(change, { source, url });
      const [one, other] = chosen;
      const { behind } = catalogue.standing;
      return {
        source,
        url,
        ...(anchor !== undefined && { anchor }),
        boundary: boundaryOf({ url, ...(anchor !== undefined && { anchor }) }),
        versions: found.changes.map((change) => versionLine(change, anchor)),
        ...(found.older !== undefined && { older: found.older }),
        ...(behind > 0 && { behind }),
        ...(one !== undefined &&
          other !== undefined && { compared: await compareVersions(one, other, { anchor, store }) }),
      };
    },
    show(facts, { root, query }) {
      return {
        title: timelineTitle(facts),
        main: timelineHtml(facts, { root, look: askedOf(query).look, before: query.get('before') ?? undefined }),
      };
    },
  };
}

function askedOf(query: URLSearchParams) {
  const shape = {
    source: anyText,
    url: anyText,
    anchor: anyText,
    before: wholeNumberText(1, MAX_SEQ),
    a: anyText,
    b: anyText,
    look: oneOf(DIFF_LOOKS),
  };
  const { source, url, look = 'side' as DiffLook, ...rest } = queryFields(shape, presentFields(query, FIELDS));
  if (source === undefined) throw refused('source', source, 'Say of which source.');
  if (url === undefined) throw refused('url', url, 'Say of which page.');
  return { source, url, look, ...rest };
}

/** One that is not named is the newest other one. */
async function chosenChanges(
  ids: readonly (string | undefined)[],
  newest: readonly Change[],
  store: Pick<HubStore, 'changeById'>,
): Promise<readonly Change[]> {
  const named: Change[] = [];
  for (const id of ids) {
    if (id === undefined) continue;
    const change = newest.find((one) => one.id === id) ?? (isUlid(id) ? await store.changeById(id) : undefined);
    if (change === undefined) throw noSuchChangeError(id);
    named.push(change);
  }
  if (named.length === 2) return named;
  return [...named, ...newest.filter(({ id }) => id !== named[0]?.id)].slice(0, 2);
}

function ensureOfPage(change: Change, { source, url }: { readonly source: string; readonly url: string }): void {
  if (change.source === source && change.url === url) return;
  throw refused('a', change.id, 'Compare changes of this page: that one is of another.');
}

const RENAMED = /(?:^|; )anchor-renamed: (.{1,300}?) -> (.{1,300}?)(?=; |$)/g;

function versionLine(change: Change, anchor: string | undefined): VersionLine {
  const { seq, note } = change;
  const renames = [...(note ?? '').slice(0, MAX_NOTE).matchAll(RENAMED)];
  const former = renames.find(([, , to]) => to === anchor)?.[1];
  return {
    ...changeLine(change),
    seq,
    ...(note !== undefined && { note: note.slice(0, MAX_NOTE) }),
    ...(anchor !== undefined && former !== undefined && { formerAnchor: former }),
  };
}

const MAX_NOTE = 5000;
