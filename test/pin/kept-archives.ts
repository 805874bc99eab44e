import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type RunningHub, startHub } from '../../src/doors/hub.ts';
import { announceEndpoint, newSigningKey } from '../../src/doors/surface.ts';
import { AskedHub, HUB_ADDRESS, HUB_TOKEN } from './asked-hub.ts';
import { GeneratedSite } from './generated-site.ts';
import { DOCS, publishHistory, readTree, type SiteHistory } from './publish-history.ts';
import type { SteadyWorld } from './steady-world.ts';
import { packTar, unpackTar } from './tar.ts';

/** What a release has left behind, whole: later builds must go on from it. One folder for each release. */
const ARCHIVES = new URL('archives/', import.meta.url);
export const RELEASES = ['0.1.0'];
/** The data of a hub is kept for each format of its database, too. */
export const KEPT_HUBS = [...RELEASES, '0.1.0-format-5'];
/** A release is kept once, from its own build, with TIDINGS_PIN=release: name it here and add it to the lists above. */
const RECORDED = '0.1.0-format-5';

const HUB_MS = Date.parse('2026-04-01T09:00:00Z');
const CHECK_MS = 10_000;
/** After everything that is kept, and before the hub checks its folder by itself. */
export const LATER_MS = Date.parse('2026-04-20T09:00:00Z');
export const SERVED = 'served.json';
const HUB_FILE = 'data/tidings.db';

/** In all formats, with rotated feeds, archives, closed lists and a fact about an endpoint. */
export const KEPT: SiteHistory = {
  ...DOCS,
  name: 'kept',
  steps: [
    ...DOCS.steps.slice(0, 8),
    {
      edits: ['update'],
      before: async ({ at, address }) => {
        const target = { dir: at('site'), site: address, key: at('key.json') };
        await newSigningKey(target);
        await announceEndpoint(target, { endpointId: 'search', endpoint: '/search', protocol: 'rest', version: '1' });
      },
    },
  ],
};

/** Unpacks `site` or `hub` of a release. */
export function unpackKept(release: string, name: string, folder: string): void {
  for (const [path, bytes] of unpackTar(readFileSync(new URL(`${release}/${name}.tgz`, ARCHIVES)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    if (path === HUB_FILE) movePlace(join(folder, path), NOWHERE, folder);
  }
}

/** A hub with one folder; nothing is checked but when it is asked for. */
export function openKeptHub(root: string): Promise<RunningHub> {
  const docs = {
    id: 'docs',
    kind: 'folder' as const,
    path: './docs',
    site: 'https://docs.example/',
    intervalSeconds: 30 * 86_400,
  };
  const limits = { perMinute: 1_000_000 };
  const settings = { port: 0, baseUrl: HUB_ADDRESS, data: './data', limits, sources: [docs] };
  return startHub(settings, { base: root, token: HUB_TOKEN });
}

export async function recordKept(root: string, world: SteadyWorld): Promise<void> {
  for await (const { step: _made } of publishHistory(KEPT, { root: join(root, 'site'), world }));
  keep('site', readTree(join(root, 'site', 'site')));
  keep('hub', await recordHub(join(root, 'hub'), world));
}

function keep(name: string, files: ReadonlyMap<string, Uint8Array>): void {
  const folder = new URL(`${RECORDED}/`, ARCHIVES);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.tgz`, folder), packTar(files));
}

/** Its data folder, the folder that it watches, and what it served at the end. */
async function recordHub(root: string, world: SteadyWorld): Promise<Map<string, Uint8Array>> {
  const site = new GeneratedSite(77, 6);
  let nowMs = HUB_MS;
  const enter = (what: string) => {
    world.enter(`kept hub ${what}`, nowMs);
    nowMs += CHECK_MS;
  };
  site.write(join(root, 'docs'));
  enter('start');
  const hub = await openKeptHub(root);
  const asked = new AskedHub(hub);
  await asked.untilChecked('docs', 0);
  for (const edit of ['update', 'create', 'delete', 'rename-section'] as const) {
    const before = [...site.files().keys()];
    site.apply(edit);
    site.write(join(root, 'docs'), before);
    enter(edit);
    await asked.check('docs');
  }
  await hub.close();
  enter('reading');
  const again = await openKeptHub(root);
  const served = await new AskedHub(again).documents(KEPT_DOCUMENTS);
  // What it says of its own health is of the moment.
  for (const path of served.keys()) if (path.includes('health')) served.delete(path);
  await again.close();
  movePlace(join(root, HUB_FILE), root, NOWHERE);
  writeFileSync(join(root, SERVED), `${JSON.stringify(Object.fromEntries(served), null, 1)}\n`);
  return new Map([...readTree(root)].filter(([path]) => !/-(?:shm|wal)$/.test(path)));
}

const KEPT_DOCUMENTS = [
  'ai-changes.ndjson',
  'aicf/docs.ndjson',
  '.well-known/ai-changefeed',
  'changes.atom',
  'atom/docs.atom',
  'diff/head.json',
  'diff/latest.json',
  'diff/sources.json',
  'diff/docs/head.json',
  'diff/docs/latest.json',
  '.well-known/diffdelta.json',
  'api/v1/changes',
];

/** Where kept folders say that they lie: the hub remembers where the folder of a source is, and what is kept must not tell. */
const NOWHERE = '/srv/kept';

/** Makes the hub of a database believe that its folders were always below `to`. */
function movePlace(file: string, from: string, to: string): void {
  const database = new DatabaseSync(file);
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  for (const { name: table } of tables) {
    const columns = database.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[];
    for (const { name } of columns) {
      database
        .prepare(`UPDATE "${table}" SET "${name}" = replace("${name}", ?, ?) WHERE instr("${name}", ?) > 0`)
        .run(from, to, from);
    }
  }
  // What was replaced must not be left over in free pages, nor in the journal.
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
