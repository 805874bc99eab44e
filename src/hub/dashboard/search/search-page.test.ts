import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { changeOf } from '../../../../test/support/change-of.ts';
import { signedIn } from '../../../../test/support/signed-in.ts';
import type { ChangeList, ChangeLists } from '../../../dialects/shelf.ts';
import type { SearchHit } from '../../../mcp/mcp-ports.ts';
import type { Change } from '../../../model/change.ts';
import type { ChangeSearch, FoundChanges } from '../../catalogue/catalogue.ts';
import { viewRoutes } from '../view.ts';
import type { TextsState } from './search-facts.ts';
import { searchFeedRoutes } from './search-feeds.ts';
import { searchView } from './search-page.ts';

const HOSTILE = '"><script>alert(1)</script>\u202E\uD800';
const HIT: SearchHit = {
  url: 'https://docs.example/limits',
  anchor: 'rate',
  title: 'Limits',
  heading: 'Rate',
  snippet: 'You may ask 60 times',
  source: 'docs',
};

interface Lab {
  readonly found?: FoundChanges;
  readonly behind?: number;
  readonly state?: TextsState;
  readonly hits?: readonly SearchHit[];
}

function lab({ found = { changes: [] }, behind = 0, state = 'whole', hits = [] }: Lab = {}) {
  const searches: ChangeSearch[] = [];
  const queries: unknown[] = [];
  const written: ChangeList[] = [];
  const catalogue = {
    standing: { seq: 9, behind },
    find: async (search: ChangeSearch) => {
      searches.push(search);
      return found;
    },
  };
  const list: ChangeLists = {
    ending: '.told',
    mediaType: 'text/told',
    words: 'Told',
    write: (one) => {
      written.push(one);
      return one.changes.map(({ id }) => `${id}\n`).join('');
    },
  };
  const view = searchView({
    catalogue,
    searchPages: async (query) => {
      queries.push(query);
      return { state, hits };
    },
    changeLists: () => [list],
  });
  const baseUrl = () => 'https://hub.example/sub/';
  const routes = [
    ...viewRoutes([view], { ...signedIn(), gzip: (bytes) => bytes }),
    ...searchFeedRoutes({ catalogue, changeLists: [list], baseUrl }),
  ];
  return {
    searches,
    queries,
    written,
    call: (line: string, headers: Record<string, string> = {}) => callRoute(routes, line, { headers }),
  };
}

const CHANGE: Change = changeOf({ url: 'https://docs.example/limits', title: 'Limits', seq: 7 });

test('every field narrows the search, and a day is meant whole', async () => {
  const { call, searches, queries } = lab({ found: { changes: [CHANGE], older: 7 } });
  const query = 'q=rate+limit&source=docs&action=update&kind=page&path=guide%2F**&from=2026-03-01&to=2026-03-02';
  const { search, changes, older } = jsonOf(await call(`GET /api/v1/views/search?${query}`));
  expect(searches).toEqual([
    {
      words: 'rate limit',
      source: 'docs',
      action: 'update',
      kind: 'page',
      path: '/guide/**',
      fromMs: Date.parse('2026-03-01T00:00:00Z'),
      toMs: Date.parse('2026-03-03T00:00:00Z'),
      before: undefined,
      limit: 50,
    },
  ]);
  expect(queries).toEqual([{ query: 'rate limit', source: 'docs', skip: 0, limit: 20 }]);
  expect(search).toMatchObject({ q: 'rate limit', path: '/guide/**' });
  expect([changes[0].id, older]).toEqual([CHANGE.id, 7]);
});

test('the page keeps the search in its links: the next page, the feeds, the stream', async () => {
  const { call } = lab({ found: { changes: [CHANGE], older: 7 }, hits: [HIT] });
  const html = textOf(await call('GET /search?q=limit&action=update'));
  expect(html).toContain('href="./search?q=limit&amp;action=update&amp;before=7"');
  expect(html).toContain('href="./search.told?q=limit&amp;action=update"');
  expect(html).toContain('href="./events?action=update"');
  expect(html).toContain('(without words)');
  expect(html).toContain('type="text/told"');
  expect(html).toContain('You may ask 60 times');
  expect(html).toContain('href="https://docs.example/limits#rate"');
  expect(html).toContain('href="./timeline?source=docs&amp;url=https%3A%2F%2Fdocs.example%2Flimits&amp;anchor=rate"');
  expect(html).toMatch(/<option selected>update<\/option>/);
});

test('further pages of changes do not search the pages again, and neither does a search without words', async () => {
  const { call, queries } = lab();
  const next = jsonOf(await call('GET /api/v1/views/search?q=limit&before=7'));
  const all = jsonOf(await call('GET /api/v1/views/search'));
  expect([next.pages, all.pages, queries]).toEqual([undefined, undefined, []]);
});

test.each([
  ['action=explode', 'Give one of create, update, delete'],
  ['path=%2Fa%5B', 'does not stand in a path'],
  ['from=yesterday', 'Give a day like 2026-03-01'],
  ['from=2026-13-45', 'Give a day like 2026-03-01'],
  ['before=1e3', 'Give a whole number'],
  ['q=a&q=b', 'Give it once'],
])('what is malformed is refused with what to give: %s', async (query, words) => {
  const { call, searches } = lab();
  const refused = await call(`GET /api/v1/views/search?${query}`);
  expect([refused.status, jsonOf(refused).detail]).toEqual([400, expect.stringContaining(words)]);
  expect((await call(`GET /search?${query}`)).status).toBe(400);
  expect(searches).toEqual([]);
});

test.each([
  [{ state: 'preparing' }, 'The texts of the pages are being read.'],
  [{ state: 'none' }, 'This hub holds no texts of pages'],
  [{ state: 'partial', hits: [HIT] }, 'There are more pages than are looked through here'],
  [{}, 'No page has these words now.'],
  [{}, 'No change fits.'],
  [{ found: { changes: [], older: 5, isCut: true } }, 'No change fits so far.'],
  [{ behind: 1200 }, '1,200 changes of the log are not in the index yet.'],
] as const)('says what an answer does not cover: %j', async (parts, words) => {
  expect(textOf(await lab(parts).call('GET /search?q=limit'))).toContain(words);
});

test('an empty log says so', async () => {
  expect(textOf(await lab().call('GET /search'))).toContain('Nothing has changed yet.');
});

test('whatever stands in a field, a title, a snippet or an address is text', async () => {
  const change = changeOf({ url: `https://docs.example/${encodeURIComponent(HOSTILE.slice(0, 20))}`, title: HOSTILE });
  const hit = { ...HIT, title: HOSTILE, heading: HOSTILE, snippet: HOSTILE, anchor: HOSTILE, source: HOSTILE };
  const { call } = lab({ found: { changes: [{ ...change, anchor: HOSTILE, heading: HOSTILE }] }, hits: [hit] });
  for (const name of ['q', 'source']) {
    const html = textOf(await call(`GET /search?${name}=${encodeURIComponent(HOSTILE.slice(0, -1))}`));
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&lt;script&gt;');
  }
  const long = textOf(await call(`GET /search?q=${'x'.repeat(100_000)}`));
  expect(long.length).toBeLessThan(20_000);
});

test('a feed holds the newest hundred, and is told to have not changed', async () => {
  const { call, searches, written } = lab({ found: { changes: [CHANGE] } });
  const feed = await call('GET /search.told?q=limit&source=docs');
  expect([feed.status, feed.headers['content-type'], textOf(feed)]).toEqual([200, 'text/told', `${CHANGE.id}\n`]);
  expect(searches[0]).toMatchObject({ words: 'limit', source: 'docs', limit: 100 });
  expect(written[0]).toMatchObject({
    title: 'Changes with “limit” in docs',
    selfUrl: 'https://hub.example/sub/search.told?q=limit&source=docs',
    url: 'https://hub.example/sub/search?q=limit&source=docs',
  });
  const again = await call('GET /search.told?q=limit&source=docs', { 'if-none-match': feed.headers.etag ?? '' });
  expect(again.status).toBe(304);
  expect((await call('GET /search.told?from=never')).status).toBe(400);
});
