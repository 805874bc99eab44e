/**
 * Appends batches until it is killed, or as many as it is told.
 *
 *     node append-child.mjs <place> <mark> [count] [size] [flaw]
 *
 * Says `ready`, then `start <batch mark> <size>` before each append and `ack <changes> .` after it. Every line is
 * written synchronously, so what was said before a kill arrives; a line that the kill cut lacks its full stop.
 * `flaw` plants a bug that the verifiers must find: `early-ack` acknowledges before the append, `no-sync` switches
 * SQLite's fsync off.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../dist/io/sqlite/database.js';
import { openSqliteLog, SqliteLog } from '../../dist/io/sqlite/log.js';
import { openFileLog } from '../../dist/io/state/log.js';

const [place, mark, count = 'Infinity', size = 'random', flaw] = process.argv.slice(2);
const log = await openLog();
say('ready');

for (let batch = 1; batch <= Number(count); batch += 1) {
  const drafts = makeBatch(`${mark}.${batch}`);
  say(`start ${mark}.${batch} ${drafts.length}`);
  if (flaw === 'early-ack') {
    say(`ack ${JSON.stringify(await foresee(drafts))} .`);
    await pause(5);
    await log.append(drafts);
    continue;
  }
  say(`ack ${JSON.stringify(await log.append(drafts))} .`);
}
await log.close();

function say(line) {
  writeSync(1, `${line}\n`);
}

/** Mostly small batches, now and then one of several pages of the database. */
function makeBatch(batchMark) {
  const length = size === 'random' ? Math.ceil(Math.random() ** 4 * 300) : Number(size);
  return Array.from({ length }, (_, index) => ({
    source: 'docs',
    action: 'update',
    url: `https://docs.example/page-${index}`,
    note: `${batchMark}/${index}`,
  }));
}

async function openLog() {
  if (place.endsWith('.ndjson')) return openFileLog({ file: place, site: 'https://docs.example/' });
  if (flaw !== 'no-sync') return openSqliteLog({ folder: place });
  await (await openSqliteLog({ folder: place })).close();
  const file = join(place, 'tidings.db');
  const database = await openDatabase(file);
  database.exec('PRAGMA synchronous = OFF');
  return new SqliteLog(database, file, { release: async () => {} }, { folder: place });
}

async function foresee(drafts) {
  const first = ((await log.last())?.seq ?? 0) + 1;
  return drafts.map((draft, index) => ({ seq: first + index, ...draft }));
}
