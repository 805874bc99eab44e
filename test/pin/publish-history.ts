import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PublishOptions, publish } from '../../src/doors/publish.ts';
import {
  announceEndpoint,
  archiveEntries,
  changeSchema,
  deprecateEndpoint,
  newSigningKey,
  rotateSigningKey,
  terminateFeed,
} from '../../src/doors/surface.ts';
import { type Edit, GeneratedSite } from './generated-site.ts';
import type { SteadyWorld } from './steady-world.ts';

/** One publish: what the author does before it, and with which settings it is made. */
interface Step {
  readonly edits?: readonly Edit[];
  readonly options?: Partial<PublishOptions>;
  /** What else is done before, in the folders of the site. */
  readonly before?: (place: SitePlace) => Promise<unknown> | unknown;
}

/** Where a site and what belongs to it are kept: `site`, `out`, `state` and `key.json` below one folder. */
export interface SitePlace {
  readonly root: string;
  readonly address: string;
  readonly at: (name: string) => string;
}

export interface SiteHistory {
  readonly name: string;
  readonly address: string;
  readonly seed: number;
  readonly pages: number;
  readonly common: (place: SitePlace) => Partial<PublishOptions>;
  readonly steps: readonly Step[];
}

/** What is there after a step: every file but the pages as they were written, and what the publish reported. */
export interface PublishedStep {
  readonly step: string;
  readonly place: SitePlace;
  readonly found: ReadonlyMap<string, Uint8Array | string>;
}

const START_MS = Date.parse('2026-03-01T09:00:00Z');
/** More than a day, less than a month: dates and archives by day change often. */
const STEP_MS = 31 * 3600_000 + 17 * 60_000 + 4321;

const ALL_HINTS = {
  chunkHints: { embedRef: 'https://docs.example/vectors/{chunk_id}.json' },
  billingHints: { plan: 'free', unit: 'tokens' },
} as const;

/** Everything small, so that feeds are rotated, archived and closed often; hints come and go. */
export const DOCS: SiteHistory = {
  name: 'docs',
  address: 'https://docs.example/',
  seed: 11,
  pages: 9,
  common: () => ({
    title: 'Docs & more',
    author: 'Ann',
    rotateBytes: 3000,
    atomEntries: 3,
    listEntries: 4,
    sitemap: true,
    collections: [{ path: '/guides/', title: 'Guides', author: 'Ben' }, { path: '/notes/' }],
  }),
  steps: [
    { before: ({ at }) => writeFileSync(at('site/_headers'), '/*\n  X-Of-The-Author: yes\n') },
    { edits: ['update'] },
    { edits: ['create', 'title'], options: { extensions: ALL_HINTS } },
    { edits: ['rename-section', 'add-section'], options: { extensions: ALL_HINTS } },
    {},
    { edits: ['delete', 'update'], options: { formats: ['aicf', 'atom'] } },
    { edits: ['edit-two-sections', 'introduction'] },
    { edits: ['remove-section'], options: { ttlSeconds: 900, license: 'https://docs.example/license' } },
    { edits: ['create', 'create', 'update'], options: { websub: 'https://push.example/' } },
    { edits: ['delete'], options: { about: 'https://docs.example/about' } },
    { edits: ['update', 'update', 'title'] },
    { edits: ['add-section', 'rename-section', 'delete'], options: { collections: [] } },
  ],
};

const orders = { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.0' };
const targetOf = ({ at, address }: SitePlace) => ({ dir: at('out'), site: address, key: at('key.json') });

/** What an API says of its endpoints, published beside its pages; the output is a folder of its own. */
export const API: SiteHistory = {
  name: 'api',
  address: 'https://api.example/',
  seed: 23,
  pages: 5,
  common: ({ at }) => ({ out: at('out'), title: 'API', author: 'Cleo', atomEntries: 4 }),
  steps: [
    {},
    {
      before: (place) =>
        newSigningKey({ key: place.at('key.json') }).then(() => announceEndpoint(targetOf(place), orders)),
    },
    {
      edits: ['update'],
      before: (place) =>
        changeSchema(targetOf(place), {
          endpointId: 'orders',
          from: '1.0',
          to: '1.1',
          migration: { add: ['/currency'], rename: { '/amount': '/total' } },
        }),
    },
    { before: (place) => announceEndpoint(targetOf(place), { ...orders, version: '1.1', endpoint: '/v1/orders' }) },
    { before: (place) => rotateSigningKey(targetOf(place)), edits: ['create'] },
    { before: (place) => announceEndpoint(targetOf(place), { ...orders, endpointId: 'orders-v2', version: '2.0' }) },
    {
      before: (place) =>
        deprecateEndpoint(targetOf(place), {
          endpointId: 'orders',
          sunset: '2027-01-01T00:00:00Z',
          replacement: 'orders-v2',
          reason: 'There is a better one.',
        }),
      edits: ['delete', 'title'],
    },
    {
      before: async (place) => {
        const newer = { ...orders, endpointId: 'orders-v2', endpoint: '/v2/orders', version: '2.1' };
        await announceEndpoint(targetOf(place), newer);
        await archiveEntries(targetOf(place));
      },
      options: { formats: ['agent-feed', 'diffdelta'] },
    },
    { before: (place) => terminateFeed(targetOf(place)), edits: ['update'] },
  ],
};

/** Packages, clean URLs below a path, the state elsewhere, and twice a fresh folder that goes on from a copy of the last. */
export const PACKED: SiteHistory = {
  name: 'packed',
  address: 'https://people.example/~dora/',
  seed: 42,
  pages: 6,
  common: ({ at }) => ({
    out: at('out'),
    title: 'Packed',
    author: 'Dora',
    dumps: true,
    cleanUrls: true,
    listEntries: 6,
  }),
  steps: [
    {},
    { edits: ['update', 'create'] },
    { edits: ['delete', 'rename-section'] },
    { before: startAfresh, edits: ['update'], options: { previous: 'previous' } },
    { edits: ['edit-two-sections'], options: { dumpBytes: 2000 } },
    { before: startAfresh, edits: ['create', 'title'], options: { previous: 'previous', state: 'state' } },
    { edits: ['update', 'delete'], options: { state: 'state' } },
    { options: { state: 'state', dumps: false } },
  ],
};

/** The output becomes what was published before, and an empty folder takes its place. */
function startAfresh({ at }: SitePlace): void {
  rmSync(at('previous'), { recursive: true, force: true });
  cpSync(at('out'), at('previous'), { recursive: true });
  rmSync(at('out'), { recursive: true });
}

/** Publishes a site over and over, as its history says, below `root`. */
export async function* publishHistory(
  { name, address, seed, pages, common, steps }: SiteHistory,
  { root, world }: { readonly root: string; readonly world: SteadyWorld },
): AsyncGenerator<PublishedStep> {
  const place: SitePlace = { root, address, at: (path) => join(root, path) };
  const site = new GeneratedSite(seed, pages);
  let written: readonly string[] = [];
  for (const [index, { edits = [], options = {}, before }] of steps.entries()) {
    const step = String(index + 1).padStart(2, '0');
    world.enter(`${name} ${step}`, START_MS + index * STEP_MS);
    for (const edit of edits) site.apply(edit);
    mkdirSync(place.at('site'), { recursive: true });
    site.write(place.at('site'), written);
    const files = site.files();
    written = [...files.keys()];
    await before?.(place);
    const report = await publish({
      dir: place.at('site'),
      site: address,
      ...common(place),
      ...options,
      ...(options.state !== undefined && { state: place.at(options.state) }),
      ...(options.previous !== undefined && { previous: place.at(options.previous) }),
    });
    const found = new Map<string, Uint8Array | string>(readTree(root));
    for (const [path, html] of files) if (String(found.get(`site/${path}`)) === html) found.delete(`site/${path}`);
    for (const path of found.keys()) if (path.startsWith('previous/') || path === 'key.json') found.delete(path);
    found.set('(report)', `${JSON.stringify(report, null, 1)}\n`);
    yield { step, place, found };
  }
}

/** Every file below a folder with its bytes, by its path with slashes. */
export function readTree(folder: string): Map<string, Uint8Array> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((file) => [file.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(file)]));
}
