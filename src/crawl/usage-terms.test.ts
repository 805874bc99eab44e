import { expect, test } from 'vitest';
import { parseRobots } from '../codecs/robots/robots.ts';
import { combinedWishes, type Wishes } from '../codecs/usage-terms/usage.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import type { LivePage } from './live-page.ts';
import { readUsageTerms } from './usage-terms.ts';

/** Where a statement may stand. Those of one place are written one behind the other. */
interface Said {
  readonly robots?: string;
  readonly license?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly head?: string;
  readonly tdmFile?: object;
}

interface Row {
  readonly said: Said;
  readonly means: Wishes;
}

const NO: Wishes = { search: 'no', 'ai-input': 'no', 'ai-train': 'no' };
const YES: Wishes = { search: 'yes', 'ai-input': 'yes', 'ai-train': 'yes' };
const NO_MODELS: Wishes = { 'ai-input': 'no', 'ai-train': 'no' };
const NO_TRAINING: Wishes = { 'ai-train': 'no' };

const rsl = (license: string, attributes = ''): Said => ({
  license: `<rsl xmlns="https://rslstandard.org/rsl"><content url="/*" ${attributes}><license>${license}</license></content></rsl>`,
});
const permits = (words: string) => `<permits type="usage">${words}</permits>`;
const prohibits = (words: string) => `<prohibits type="usage">${words}</prohibits>`;

/** The table of decisions, a fixture for each row and each answer of it. */
const ROWS: Readonly<Record<string, Row>> = {
  'AIPREF search=y': { said: { robots: 'Content-Usage: search=y' }, means: { search: 'yes' } },
  'AIPREF search=n': { said: { headers: { 'content-usage': 'search=n' } }, means: { search: 'no' } },
  'AIPREF train-ai=y': { said: { robots: 'Content-Usage: train-ai=y' }, means: { 'ai-train': 'yes' } },
  'AIPREF train-ai=n': { said: { robots: 'Content-Usage: train-ai=n' }, means: NO_TRAINING },
  'Content-Signal yes': {
    said: { headers: { 'content-signal': 'search=yes, ai-input=yes, ai-train=yes' } },
    means: YES,
  },
  'Content-Signal no': { said: { robots: 'Content-Signal: ai-input=no, ai-train=no' }, means: NO_MODELS },
  'Content-Signal search=no': { said: { robots: 'Content-Signal: search=no' }, means: { search: 'no' } },
  'use=immediate': { said: { robots: 'Content-Signal: use=immediate' }, means: NO },
  'use=reference': { said: { robots: 'Content-Signal: use=reference' }, means: {} },
  'RSL permits all': { said: rsl(permits('all')), means: YES },
  'RSL prohibits all': { said: rsl(prohibits('all')), means: NO },
  'RSL permits ai-all': { said: rsl(permits('ai-all')), means: { 'ai-input': 'yes', 'ai-train': 'yes' } },
  'RSL prohibits ai-all': { said: rsl(prohibits('ai-all')), means: NO_MODELS },
  'RSL by word': {
    said: rsl(permits('search') + prohibits('ai-train') + prohibits('ai-input')),
    means: { search: 'yes', ...NO_MODELS },
  },
  'RSL permits ai-index': { said: rsl(permits('ai-index')), means: { 'ai-input': 'yes' } },
  'RSL prohibits ai-index': { said: rsl(prohibits('ai-index')), means: { 'ai-input': 'no' } },
  'RSL payment': { said: rsl(`${permits('all')}<payment type="crawl"/>`), means: NO },
  'RSL payment by naming': { said: rsl(`${permits('all')}<payment type="attribution"/>`), means: NO },
  'RSL server': { said: rsl(permits('all'), 'server="https://l.example/"'), means: NO },
  noindex: { said: { head: '<meta name="robots" content="noindex">' }, means: { search: 'no' } },
  noai: { said: { head: '<meta name="robots" content="noai">' }, means: NO_TRAINING },
  noml: { said: { headers: { 'x-robots-tag': 'noml' } }, means: NO_TRAINING },
  noimageai: { said: { headers: { 'x-robots-tag': 'noimageai' } }, means: {} },
  'tdm-reservation 1': { said: { tdmFile: { location: '/*', 'tdm-reservation': 1 } }, means: NO_TRAINING },
  'licence link': { said: { head: '<link rel="license" href="/cc-by">' }, means: {} },
};

const PAIRS = Object.entries(ROWS).flatMap(([one, first], at) =>
  Object.entries(ROWS)
    .slice(at + 1)
    .map(([other, second]): [string, Row, Row] => [`${one} + ${other}`, first, second]),
);

test.each(Object.entries(ROWS))('%s', async (_, { said, means }) => {
  expect((await termsOf([said])).uses).toEqual(means);
});

test.each(PAIRS)('in whatever order: %s', async (_, one, other) => {
  const means = combinedWishes([one.means, other.means]);
  expect((await termsOf([one.said, other.said])).uses).toEqual(means);
  expect((await termsOf([other.said, one.said])).uses).toEqual(means);
});

test('there is a pair of each two rows', () => {
  const rows = Object.keys(ROWS).length;
  expect(rows).toBeGreaterThan(20);
  expect(PAIRS).toHaveLength((rows * (rows - 1)) / 2);
});

test('of a reservation the page counts most, then its answer, then the file of the host', async () => {
  const file: Said = { tdmFile: { location: '/*', 'tdm-reservation': 1 } };
  const header: Said = { headers: { 'tdm-reservation': '0' } };
  const page: Said = { head: '<meta name="tdm-reservation" content="1">' };
  expect((await termsOf([file])).uses).toEqual(NO_TRAINING);
  expect((await termsOf([file, header])).uses).toEqual({});
  expect((await termsOf([file, header, page])).uses).toEqual(NO_TRAINING);
  expect((await termsOf([header, page])).signals).toMatchObject([{ vocabulary: 'tdmrep', where: 'page' }]);
});

test('what stands in several elements counts together, and a page that only speaks of robots says nothing', async () => {
  const head = '<meta name="robots" content="index"><meta name="ROBOTS" content="noai">';
  expect((await termsOf([{ head }])).uses).toEqual(NO_TRAINING);
  const text = '<main><pre>&lt;meta name="robots" content="noai"&gt;</pre></main>';
  expect(await termsOf([], text)).toMatchObject({ signals: [], uses: {} });
  const late = '<main><p>robots</p></main><meta name="robots" content="noai">';
  expect((await termsOf([], late)).uses).toEqual(NO_TRAINING);
});

test('a licence may stand in a script of the page, or be named by one', async () => {
  const xml =
    '<rsl xmlns="https://rslstandard.org/rsl"><content url="/*"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>';
  const script = (attributes: string, text = '') => `<script ${attributes}>${text}</script>`;
  const type = 'type="application/rsl+xml"';
  expect((await termsOf([{ head: script(type, xml) }])).uses).toEqual(NO_TRAINING);
  expect((await termsOf([], `<main>A</main>${script(type, xml)}`)).uses).toEqual(NO_TRAINING);
  expect((await termsOf([{ head: script('type="text/plain"', xml) }])).uses).toEqual({});
  expect((await termsOf([{ head: script(`src="/0.xml" ${type}`), license: xml }])).signals).toMatchObject([
    { vocabulary: 'rsl', where: 'https://a.example/0.xml', wishes: NO_TRAINING },
  ]);
});

test('a file that cannot be read makes the answer a part; one that is not there does not', async () => {
  expect(await termsOf([])).toEqual({ signals: [], uses: {} });
  expect(await termsOf([{ tdmFile: { status: 503 } }])).toMatchObject({ uses: {}, isPart: true });
});

/** The terms of a page about which all of this is said. */
async function termsOf(all: readonly Said[], body = '<main><h1>A</h1></main>') {
  const robots = parseRobots(
    [
      'User-agent: *',
      ...all.flatMap((said) => said.robots ?? []),
      ...all.flatMap((said, at) => (said.license === undefined ? [] : [`License: https://a.example/${at}.xml`])),
    ].join('\n'),
  );
  const headers: Record<string, string> = {};
  for (const [name, value] of all.flatMap((said) => Object.entries(said.headers ?? {})))
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  const page = {
    kind: 'page',
    url: new URL('https://a.example/p'),
    status: 200,
    headers,
    mediaType: 'text/html',
    text: `<html><head><title>A</title>${all.map(({ head = '' }) => head).join('')}</head><body>${body}</body></html>`,
    bytesHash: '',
    bytesLength: 0,
    fetchedAtMs: 0,
  } satisfies LivePage;
  return await readUsageTerms(page, {
    http: filesOf(all),
    usageOf: async (url) => ({ said: robots.usageOf('AIWebIndex', url), licenses: robots.licenses }),
    signal: new AbortController().signal,
  });
}

function filesOf(all: readonly Said[]): HttpClient {
  const files = new Map(all.map(({ license }, at) => [`/${at}.xml`, license]));
  const rules = all.flatMap(({ tdmFile }) => tdmFile ?? []);
  const failing = rules.some((rule) => 'status' in rule);
  if (rules.length > 0 && !failing) files.set('/.well-known/tdmrep.json', JSON.stringify(rules));
  return {
    async get({ url }) {
      const text = files.get(url.pathname);
      const isDown = failing && url.pathname.endsWith('tdmrep.json');
      const status = isDown ? 503 : text === undefined ? 404 : 200;
      const bytes = new TextEncoder().encode(text ?? '');
      return {
        url,
        status,
        headers: {},
        body: (async function* () {
          yield bytes;
        })(),
        discard: async () => {},
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}
