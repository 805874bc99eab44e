/**
 * A hub that watches nothing: changes are committed, and the documents of all dialects follow, the provable log among them.
 *
 *     node tlog-hub-child.mjs <folder> <write> <writers> [flaw]
 *
 * It kills itself at that write of the provable log: before it, or behind it where the number ends in .5. With two writers, two shelves write one log. Each
 * checkpoint is said as `signed <base64>` before it is stored. The flaw `sign-first` signs a head before that is stored, and must be found.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { AICF } from '../../dist/dialects/aicf/aicf.js';
import { FEED_STORE } from '../../dist/dialects/aicf/shelf/feed-store.js';
import { ATOM } from '../../dist/dialects/atom/atom.js';
import { ATOM_STORE } from '../../dist/dialects/atom/shelf/atom-store.js';
import { DIFFDELTA } from '../../dist/dialects/diffdelta/diffdelta.js';
import { RUN_STORE } from '../../dist/dialects/diffdelta/shelf/run-store.js';
import { createLogSigner } from '../../dist/dialects/tlog/shelf/tlog-key.js';
import { TLOG_PLACE } from '../../dist/dialects/tlog/shelf/tlog-store.js';
import { TLOG } from '../../dist/dialects/tlog/tlog.js';
import { openHubShelves } from '../../dist/hub/shelves/hub-shelves.js';
import { openFeedFolder } from '../../dist/io/feeds/feed-folder.js';
import { randomSecretBytes } from '../../dist/io/node/random-token.js';
import { openSqliteAtomStore } from '../../dist/io/sqlite/atom-store.js';
import { openSqliteHubStore } from '../../dist/io/sqlite/hub-store.js';
import { openSqliteRuns } from '../../dist/io/sqlite/runs.js';
import { openSqliteTlogStore } from '../../dist/io/sqlite/tlog-store.js';
import { gunzipDocument, gzipDocument } from '../../dist/io/zlib/document.js';

const [folder, killAt, writers = '1', flaw] = process.argv.slice(2);
const COMMITS = 40;
/** So many times as fast as the real clock. */
const HASTE = 500;
const startMs = Date.now();
const now = () => startMs + (Date.now() - startMs) * HASTE;
const signer = createLogSigner();

const store = await openSqliteHubStore({ folder, now });
const storage = {};
let writes = 0;
FEED_STORE.put(storage, () => openFeedFolder(join(folder, 'feeds'), { lost: () => store.lost }));
RUN_STORE.put(storage, () => store.openTables(openSqliteRuns));
ATOM_STORE.put(storage, () => store.openTables(openSqliteAtomStore));
TLOG_PLACE.put(storage, () => ({
  store: watched(store.openTables(openSqliteTlogStore)),
  random: randomSecretBytes,
  gunzip: gunzipDocument,
}));

const health = { changed: true, failures: 0 };
const sources = ['api', 'docs'].map((id) => ({
  id,
  title: id,
  url: `https://${id}.example/`,
  status: 'ok',
  addedAtMs: 0,
  health,
}));
const world = {
  readChanges: (after) => store.changes({ after }),
  logStart: () => store.logStart(),
  sources: () => sources,
  sourceOf: (id) => sources.find((each) => each.id === id),
  baseUrl: () => 'https://hub.example/',
  root: '/',
  settings: { extensions: {} },
  storage,
  now,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms / HASTE)),
  gzip: gzipDocument,
};
const second = writers === '2' ? [{ ...TLOG, name: 'tlog again' }] : [];
const shelves = await openHubShelves([AICF, DIFFDELTA, ATOM, TLOG, ...second], world);
store.onChanges((changes) => {
  // Which of two writers comes first is left to chance; the one that comes second is refused, and loads again.
  void shelves.add(changes).catch(() => {});
});
writeSync(1, 'ready\n');
for (let commit = 1; commit <= COMMITS; commit += 1) {
  const source = commit % 2 === 0 ? 'api' : 'docs';
  const drafts = Array.from({ length: 1 + ((commit * 7) % 11) }, (_, at) => ({
    source,
    action: 'update',
    url: `https://${source}.example/${commit}/${at}`,
    title: `Page ${at}`,
    before: `Before ${startMs}.`,
  }));
  await store.commit({ source, drafts });
  await shelves.add([]).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 2));
}
process.exit(0);

function watched(real) {
  const own = Object.create(real);
  for (const name of [
    'logs',
    'tile',
    'openTile',
    'bundle',
    'openEntries',
    'place',
    'places',
    'documentHash',
    'checkedList',
  ]) {
    own[name] = (...args) => real[name](...args);
  }
  own.write = (step) => {
    writes += 1;
    if (step.checkpoint !== undefined) say(step.checkpoint);
    if (flaw === 'sign-first' && step.checkpoint === undefined) {
      const identity = step.begins ?? real.logs().at(-1);
      say(signer.sign({ ...identity, seed: Uint8Array.from(identity.seed) }, step.head));
    }
    if (Number(killAt) === writes) process.kill(process.pid, 'SIGKILL');
    real.write(step);
    if (Number(killAt) === writes + 0.5) process.kill(process.pid, 'SIGKILL');
  };
  return own;
}

function say(note) {
  writeSync(1, `signed ${Buffer.from(note).toString('base64')}\n`);
}
