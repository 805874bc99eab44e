import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type HubSettings, type RunningHub, startHub } from '../../src/doors/hub.ts';
import { publish } from '../../src/doors/publish.ts';
import { announceEndpoint, changeSchema, deprecateEndpoint, newSigningKey } from '../../src/doors/surface.ts';
import { AskedHub, HUB_ADDRESS, HUB_TOKEN } from './asked-hub.ts';
import { type Edit, GeneratedSite } from './generated-site.ts';
import { openSteadyNet } from './steady-net.ts';
import type { SteadyWorld } from './steady-world.ts';

/** What the hub serves after a round: every document by its path. */
export interface HubRound {
  readonly round: string;
  readonly found: ReadonlyMap<string, string>;
}

const HUB_FILE = 'tidings.db';
const START_MS = Date.parse('2026-03-01T09:00:00Z');
const DAY_MS = 26 * 3600_000;
/** Far less than a day: a running hub does not believe a clock that jumps so far. */
const CHECK_MS = 10_000;

/** What happens in the folder and on the web before each round of checks. */
const ROUNDS: readonly (readonly Edit[])[] = [
  [],
  ['update', 'create'],
  ['rename-section', 'delete', 'title'],
  ['edit-two-sections', 'introduction', 'add-section', 'remove-section'],
];
/** At the end of this round, counted from 0, the hub rests for more than a day. */
const REST_AFTER = 1;

/** What programs read; pages for people look as they look today. */
const SEEDS = [
  'ai-changes.ndjson',
  '.well-known/ai-changefeed',
  'changes.atom',
  'changes/_archive/1.atom',
  'diff/head.json',
  'diff/latest.json',
  'diff/sources.json',
  '.well-known/diffdelta.json',
  '.well-known/did.json',
  '.well-known/agent-feed.xml',
  '.well-known/agent-card.json',
  'api/v1/changes',
  'api/v1/changes?limit=5',
  'api/v1/changes?source=docs&limit=3',
  'api/v1/changes?source=nobody',
  'healthz.json',
  'state/health.json',
];
/** What must be the same before and after a restart. */
const FEEDS = /^(?:ai-changes|aicf\/|api\/v1\/changes)/;
const seedsOf = (id: string) => [
  `aicf/${id}.ndjson`,
  `aicf/${id}/.well-known/ai-changefeed`,
  `atom/${id}.atom`,
  `diff/${id}/head.json`,
  `diff/${id}/latest.json`,
  `diff/source/${id}/latest.json`,
];

/** One source of each kind and of each dialect; all but the first follow one site on the web. */
function sourcesOf(root: string, web: string) {
  const feed = (dialect: string, path = '') => ({
    id: dialect.replace('-', '_'),
    kind: 'feed' as const,
    dialect,
    url: `${web}${path}`,
  });
  return [
    {
      id: 'docs',
      kind: 'folder' as const,
      path: join(root, 'docs'),
      site: 'https://docs.example/',
      title: 'The <docs>',
    },
    { id: 'live', kind: 'site' as const, url: web, sitemap: `${web}resourcesync/sitemap.xml`, tags: ['live'] },
    { id: 'terms', kind: 'page' as const, urls: [`${web}index.html`], title: 'Terms' },
    feed('aicf'),
    feed('diffdelta'),
    feed('resourcesync'),
    feed('atom', 'changes.atom'),
    feed('agent-feed'),
    feed('rss', 'news.rss.xml'),
    feed('json-feed', 'news.json'),
    { id: 'broken', kind: 'page' as const, urls: [`${web}nothing.html`] },
  ].map((source) => ({ ...source, intervalSeconds: 30 * 86_400 }));
}

/** Runs a hub over a scripted history below `root`, and reads all that it serves after each round. */
export async function* hubHistory(root: string, world: SteadyWorld): AsyncGenerator<HubRound> {
  const web = join(root, 'web');
  await using net = await openSteadyNet(web);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'ca.pem'), net.ca);
  const places = { docs: new GeneratedSite(5, 6), web: new GeneratedSite(6, 6) };
  const sources = sourcesOf(root, net.url);
  // A folder is named in the settings; all others are added to the running hub.
  const folder = sources.slice(0, 1);
  let hub: RunningHub | undefined;
  let nowMs = START_MS;
  try {
    let paths = [...SEEDS, ...sources.flatMap(({ id }) => seedsOf(id))];
    for (const [index, edits] of ROUNDS.entries()) {
      const round = String(index + 1).padStart(2, '0');
      const enter = (what: string) => {
        world.enter(`hub ${round} ${what}`, nowMs);
        nowMs += CHECK_MS;
      };
      enter('edits');
      for (const [name, site] of Object.entries(places)) {
        const before = [...site.files().keys()];
        for (const edit of edits) site.apply(edit);
        mkdirSync(join(root, name), { recursive: true });
        site.write(join(root, name), index === 0 ? [] : before);
      }
      await publishWeb(root, index, net.url);
      if (index === 0) {
        await writeOwnSurface(root);
        await giveIdentity(root);
      }
      for (const source of sources) {
        enter(source.id);
        const isFirst = hub === undefined;
        hub ??= await openHub(root, folder);
        const asked = new AskedHub(hub);
        if (isFirst) await asked.untilChecked(source.id, 0);
        else await (index === 0 ? asked.add(source) : asked.check(source.id));
      }
      if (hub === undefined) throw new Error('There is no source.');
      const feeds = paths.filter((path) => FEEDS.test(path));
      const before = await new AskedHub(hub).documents(feeds);
      await hub.close();
      if (index === REST_AFTER) nowMs += DAY_MS;
      enter('start');
      // Files that tell how sources stand follow a moment behind a check, but are up to date when a hub has started.
      hub = await openHub(root, folder);
      const found = await new AskedHub(hub).documents(paths);
      for (const [path, text] of before) {
        if (found.get(path) !== text) throw new Error(`${path} is another one after a restart of the hub.`);
      }
      paths = [...found.keys()];
      yield { round, found };
    }
  } finally {
    await hub?.close();
  }
}

function openHub(root: string, sources: readonly object[] = []): Promise<RunningHub> {
  const settings = {
    port: 0,
    baseUrl: HUB_ADDRESS,
    allowPrivate: true,
    cooldownMs: 0,
    ca: './ca.pem',
    data: './data',
    sources,
    limits: { perMinute: 1_000_000 },
    surface: { dir: './own' },
    extensions: { chunkHints: {} },
    license: 'https://hub.example/license',
  };
  return startHub(settings as HubSettings, { base: root, token: HUB_TOKEN });
}

/** A new hub draws its identity, from which ids in its Atom feeds are made, in SQLite. This one has a given identity. */
async function giveIdentity(root: string): Promise<void> {
  await (await openHub(root)).close();
  const database = new DatabaseSync(join(root, 'data', HUB_FILE));
  database.exec(`UPDATE hub_atom SET identity = '${'0123456789abcdef'.repeat(2)}'`);
  database.close();
}

/** What the hub says of itself. How it may be cached depends on when it was written. */
async function writeOwnSurface(root: string): Promise<void> {
  const target = { dir: join(root, 'own'), site: HUB_ADDRESS, key: join(root, 'own-key.json') };
  mkdirSync(target.dir);
  await newSigningKey(target);
  await announceEndpoint(target, { endpointId: 'hub', endpoint: '/api/v1', protocol: 'rest', version: '1' });
  for (const name of ['did.json', 'agent-feed.xml', 'agent-card.json']) {
    utimesSync(join(target.dir, '.well-known', name), START_MS / 1000, START_MS / 1000);
  }
}

/** The site on the web: its pages in every dialect, facts about its API, and two feeds that other programs wrote. */
async function publishWeb(root: string, index: number, site: string): Promise<void> {
  const dir = join(root, 'web');
  const target = { dir, site, key: join(root, 'web-key.json'), force: true };
  const orders = { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.0' };
  if (index === 0) {
    await newSigningKey(target);
    await announceEndpoint(target, orders);
  }
  if (index === 2) {
    await changeSchema(target, { endpointId: 'orders', from: '1.0', to: '1.1', migration: { add: ['/currency'] } });
  }
  if (index === 3) await deprecateEndpoint(target, { endpointId: 'orders', sunset: '2027-01-01T00:00:00Z' });
  await publish({
    dir,
    site,
    force: true,
    title: 'Web',
    author: 'Eve',
    sitemap: true,
  });
  const posts = Array.from({ length: index + 2 }, (_, at) => ({
    id: `${site}news/${at}`,
    url: `${site}news/${at}`,
    title: `News ${at}`,
    content_text: at === 0 ? `The first, in version ${index >> 1}.` : `The text of news ${at}.`,
    date_published: new Date(START_MS + at * DAY_MS).toISOString(),
  }));
  const feed = { version: 'https://jsonfeed.org/version/1.1', title: 'News', items: posts };
  writeFileSync(join(dir, 'news.json'), JSON.stringify(feed));
  const items = posts.map(
    ({ id, url, title, content_text: text, date_published: date }) =>
      `<item><guid>${id}</guid><link>${url}</link><title>${title}</title><description>${text}</description><pubDate>${new Date(date).toUTCString()}</pubDate></item>`,
  );
  const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`;
  writeFileSync(join(dir, 'news.rss.xml'), rss);
}
