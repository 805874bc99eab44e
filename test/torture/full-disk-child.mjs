/**
 * Appends to a small disk until it is full, then frees some of it and goes on.
 *
 *     node full-disk-child.mjs <folder> <sqlite|file>
 *
 * Prints one JSON object: what was acknowledged, what is stored, which error came, and how it went on.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteLog } from '../../dist/io/sqlite/log.js';
import { openFileLog } from '../../dist/io/state/log.js';

const [folder, store] = process.argv.slice(2);
const ballast = join(folder, 'ballast');
writeFileSync(ballast, Buffer.alloc(600_000));

let log = await openLog();
const acked = [];
const error = await fill();
const readBeside = await readIds();
const errorAgain = await appendOnce();
await log.close();
log = await openLog();
const readAgain = await readIds();
rmSync(ballast);
const afterwards = await appendOnce();
const readAtLast = await readIds();
await log.close();
process.stdout.write(
  `${JSON.stringify({ acked, error, readBeside, errorAgain, readAgain, afterwards, readAtLast })}\n`,
);

function openLog() {
  if (store === 'file') return openFileLog({ file: join(folder, 'log.ndjson'), site: 'https://docs.example/' });
  return openSqliteLog({ folder });
}

async function fill() {
  for (;;) {
    const failure = await appendOnce();
    if (failure !== undefined) return failure;
  }
}

/** Undefined when it went well. */
async function appendOnce() {
  const drafts = Array.from({ length: 50 }, (_, index) => ({
    source: 'docs',
    action: 'update',
    url: `https://docs.example/page-${index}`,
    note: 'x'.repeat(500),
  }));
  try {
    acked.push(...(await log.append(drafts)).map(({ id }) => id));
    return undefined;
  } catch (failure) {
    return { name: failure.name, recovery: failure.recovery, message: failure.message };
  }
}

async function readIds() {
  const ids = [];
  for await (const { id } of log.read()) ids.push(id);
  return ids;
}
