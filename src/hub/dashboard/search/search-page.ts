import type { ChangeLists } from '../../../dialects/shelf.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { changeLine } from '../changes/change-line.ts';
import type { AskedView, View } from '../view.ts';
import { CHANGE_LINE_SCHEMA, listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';
import type { PageSearch, SearchFacts, SearchFeed } from './search-facts.ts';
import {
  changeSearch,
  readBefore,
  readSearchFields,
  SEARCH_PARAMETERS,
  type SearchFields,
  searchQuery,
  searchTitle,
} from './search-fields.ts';
import { searchHtml } from './search-html.ts';

export interface SearchPageParts {
  readonly catalogue: Pick<Catalogue, 'find' | 'standing'>;
  readonly searchPages: PageSearch;
  /** How dialects tell what was found. */
  changeLists(): readonly ChangeLists[];
}

const CHANGES = 50;
const HITS = 20;
/** The filters that an event stream supports. */
const EVENT_FIELDS = ['source', 'action', 'kind', 'path'] as const;
const string = { type: 'string' } as const;

const SCHEMA = objectSchema({
  search: { type: 'object', additionalProperties: string, description: 'The search parameters.' },
  changes: listSchema(CHANGE_LINE_SCHEMA),
  'older?': { ...WHOLE_SCHEMA, description: 'Pass it as `before` to continue.' },
  isCut: { type: 'boolean', description: 'true: the search stopped at `older`.' },
  behind: { ...WHOLE_SCHEMA, description: 'Number of changes that are not indexed yet.' },
  'pages?': objectSchema({
    state: { enum: ['whole', 'partial', 'preparing', 'none'] },
    hits: listSchema(
      objectSchema({ source: string, url: string, anchor: string, title: string, heading: string, snippet: string }),
    ),
  }),
  feeds: listSchema(objectSchema({ words: string, mediaType: string, path: string, without: listSchema(string) })),
});

/** Changes of all times, and pages as they are now, by words and by what they are. */
export function searchView(parts: SearchPageParts): View<SearchFacts> {
  return {
    path: '/search',
    summary: 'Search changes and current pages by words, source, action, path and time.',
    parameters: [
      ...SEARCH_PARAMETERS,
      {
        name: 'before',
        in: 'query',
        description: 'Continue here: `older` of the previous page.',
        schema: { type: 'integer' },
      },
    ],
    schema: SCHEMA,
    read: (asked) => readSearch(asked, parts),
    show: (facts, { root }) => ({
      title: facts.search.q === undefined ? 'Search' : searchTitle(facts.search),
      place: 'search',
      alternates: facts.feeds
        .filter(({ without }) => without.length === 0)
        .map(({ words, mediaType, path }) => ({ title: `${searchTitle(facts.search)} (${words})`, mediaType, path })),
      main: searchHtml(facts, root),
    }),
  };
}

async function readSearch({ query, signal }: AskedView, parts: SearchPageParts): Promise<SearchFacts> {
  const search = readSearchFields(query);
  const before = readBefore(query);
  const {
    changes,
    older,
    isCut = false,
  } = await parts.catalogue.find({
    ...changeSearch(search),
    before,
    limit: CHANGES,
  });
  const { q, source } = search;
  const asksPages = q !== undefined && before === undefined;
  const wanted = { query: q ?? '', source, skip: 0, limit: HITS };
  return {
    search,
    changes: changes.map(changeLine),
    ...(older !== undefined && { older }),
    isCut,
    behind: parts.catalogue.standing.behind,
    ...(asksPages && { pages: await parts.searchPages(wanted, signal) }),
    feeds: feedsOf(search, parts.changeLists()),
  };
}

function feedsOf(search: SearchFields, lists: readonly ChangeLists[]): readonly SearchFeed[] {
  const known = Object.fromEntries(Object.entries(search).filter(([name]) => EVENT_FIELDS.some((one) => one === name)));
  const events = {
    words: 'Server-Sent Events',
    mediaType: 'text/event-stream',
    path: `events${searchQuery(known)}`,
    without: Object.keys(search).filter((name) => !(name in known)),
  };
  return [
    ...lists.map(({ ending, mediaType, words }) => ({
      words,
      mediaType,
      path: `search${ending}${searchQuery(search)}`,
      without: [],
    })),
    events,
  ];
}
