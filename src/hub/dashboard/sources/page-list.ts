import { sourceUnknownError } from '../../../errors/refusals.ts';
import { decodePageRecord } from '../../../log/pages-file.ts';
import { recordTitle } from '../../../log/record-title.ts';
import type { Catalogue, LastChange } from '../../catalogue/catalogue.ts';
import { oneOf } from '../../config/setting-decoders.ts';
import { anyText, queryFields, wholeNumberText } from '../../routes/query-fields.ts';
import { SOURCE_ID } from '../../routes/source-route-parts.ts';
import type { HubStore, PageState, WatchedSource } from '../../store/hub-store.ts';
import type { Watch } from '../../watch/watch-port.ts';
import { ifCatalogued } from '../if-catalogued.ts';
import { presentFields, type View } from '../view.ts';
import {
  PAGE_LIST_SCHEMA,
  PAGE_ORDERS,
  type PageListFacts,
  type PageSections,
  type SourcePageLine,
} from './page-list-facts.ts';
import { pageListHtml } from './page-list-html.ts';

export interface PageListParts {
  readonly watch: Pick<Watch, 'source'>;
  readonly store: Pick<HubStore, 'pageOf' | 'pagesBehind'>;
  readonly catalogue: Pick<Catalogue, 'pages' | 'sections' | 'timeline'>;
}

const PAGE = 50;
const MAX_SECTIONS = 500;
const MAX_SEQ = 999_999_999;
const MAX_WORDS = 200;
const text = { type: 'string' } as const;

/** The pages of a source and when each changed last; with `url` the sections of one of them. */
export function pageListView(parts: PageListParts): View<PageListFacts> {
  return {
    path: '/sources/:id/pages',
    summary: 'The pages of a source and their sections, with the time of the last change of each.',
    parameters: [
      SOURCE_ID,
      { name: 'q', in: 'query', description: 'Words in the title or address.', schema: text },
      {
        name: 'order',
        in: 'query',
        description: 'changed: pages in the log, latest change first. address: current pages, by address.',
        schema: { enum: PAGE_ORDERS },
      },
      {
        name: 'before',
        in: 'query',
        description: 'Continue here, with order changed.',
        schema: { type: 'integer', minimum: 0 },
      },
      { name: 'after', in: 'query', description: 'Continue here, with order address.', schema: text },
      { name: 'url', in: 'query', description: 'Only this page, with its sections.', schema: text },
    ],
    schema: PAGE_LIST_SCHEMA,
    async read({ params: { id = '' }, query }) {
      const source = parts.watch.source(id);
      if (source === undefined) throw sourceUnknownError(id.slice(0, 100));
      const {
        q = '',
        order = 'changed',
        before,
        after = '',
        url,
      } = queryFields(
        { q: anyText, order: oneOf(PAGE_ORDERS), before: wholeNumberText(0, MAX_SEQ), after: anyText, url: anyText },
        presentFields(query, ['q', 'order', 'before', 'after', 'url']),
      );
      const about = { id: source.config.id, title: source.config.title ?? source.config.id, order };
      if (url !== undefined) return { ...about, pages: [], page: await readSections(source, url, parts) };
      if (order === 'address') return { ...about, ...(await readByAddress(source, after, parts)) };
      const words = q.slice(0, MAX_WORDS).trim();
      const found = await readByChange(source, { words, before }, parts);
      return { ...about, ...(words !== '' && { words }), ...found };
    },
    show: (facts, asked) => ({
      title: `Pages of ${facts.title}`,
      place: 'sources',
      main: pageListHtml(facts, asked),
    }),
  };
}

/** Pages that the log names, and whether they exist now. */
async function readByChange(
  source: WatchedSource,
  { words, before }: { readonly words: string; readonly before: number | undefined },
  { store, catalogue }: PageListParts,
): Promise<Pick<PageListFacts, 'pages' | 'before' | 'isCut'>> {
  const { id } = source.config;
  const query = { source: id, limit: PAGE, before, ...(words !== '' && { words }) };
  const { pages, older, isCut } = await catalogue.pages(query);
  const lines: SourcePageLine[] = [];
  for (const { url, title, changes, last } of pages) {
    const isHere = holdsPages(source) ? isThere(await store.pageOf(id, url)) : undefined;
    lines.push({ url, ...(title !== undefined && { title }), changes, last, ...(isHere !== undefined && { isHere }) });
  }
  return { pages: lines, ...(older !== undefined && { before: older }), ...(isCut && { isCut }) };
}

/** Pages that exist now, with what the log says about each. */
async function readByAddress(
  source: WatchedSource,
  after: string,
  { store, catalogue }: PageListParts,
): Promise<Pick<PageListFacts, 'pages' | 'after'>> {
  const { id } = source.config;
  const found = await store.pagesBehind(id, after, PAGE + 1);
  const lines: SourcePageLine[] = [];
  for (const page of found.slice(0, PAGE)) {
    const { url } = page.record;
    const last = await ifCatalogued(() => lastOf(catalogue, { source: id, url }));
    const title = recordTitle(page.record);
    lines.push({ url, ...(title !== '' && { title }), ...(last && { last }), isHere: isThere(page) });
  }
  return { pages: lines, ...(found.length > PAGE && { after: lines.at(-1)?.url ?? '' }) };
}

async function lastOf(
  catalogue: PageListParts['catalogue'],
  page: { readonly source: string; readonly url: string },
): Promise<LastChange | undefined> {
  const { changes } = await catalogue.timeline({ ...page, limit: 1 });
  const [change] = changes;
  return change && { seq: change.seq, id: change.id, time: change.time, action: change.action };
}

/** In the order of the page; then the deleted ones from the log. */
async function readSections(source: WatchedSource, url: string, parts: PageListParts): Promise<PageSections> {
  const { id } = source.config;
  const state = await parts.store.pageOf(id, url);
  const told = (await ifCatalogued(() => parts.catalogue.sections(id, url))) ?? [];
  const byAnchor = new Map(told.map((section) => [section.anchor, section]));
  const outline = state === undefined ? undefined : decodePageRecord(state.record);
  const here = (outline?.sections ?? []).map(({ anchor }) => ({ anchor, ...byAnchor.get(anchor), isHere: true }));
  const anchors = new Set(here.map(({ anchor }) => anchor));
  const gone = told.filter(({ anchor }) => !anchors.has(anchor));
  const isKnown = holdsPages(source);
  const sections = [...here, ...gone.map((section) => ({ ...section, ...(isKnown && { isHere: false }) }))];
  return {
    url,
    ...(outline !== undefined && outline.title !== '' && { title: outline.title }),
    ...(isKnown && { isHere: isThere(state) }),
    sections: sections.slice(0, MAX_SECTIONS),
    more: Math.max(0, sections.length - MAX_SECTIONS),
  };
}

/** Whether the hub reads pages of it: of one that is read by its feed it has none. */
function holdsPages({ config, health }: WatchedSource): boolean {
  return config.kind !== 'feed' && health.ladder?.rung !== 'feed';
}

function isThere(page: PageState | undefined): boolean {
  return page !== undefined && page.missingSinceMs === undefined;
}
