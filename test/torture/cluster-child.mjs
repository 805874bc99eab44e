/**
 * A worker that visits nothing: it claims sources, waits a little, and writes under its leases until it is killed.
 *
 *     node cluster-child.mjs <url> <name> <lease in ms> <its clock is ahead by ms> [flaw]
 *
 * Says `ready`, `start <mark> <source> <token>` before each append, and behind it `ack <mark> <rev>`, `refused <mark>`, or `unknown <mark>` where
 * nobody could say whether it was made: such a write is not tried again. Every line is written synchronously.
 *
 * `flaw` plants a defect that the judges must find: `plain-sequence` takes numbers from sequences, `no-fence` writes without its leases, `own-clock`
 * writes its own time instead of the database's.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LogUnavailableError } from '../../dist/errors/log-error.js';
import { PostgresJournal } from '../../dist/io/postgres/cluster/journal.js';
import { openClusterDatabase } from '../../dist/io/postgres/cluster/open-cluster-database.js';
import { PostgresSourceLeases } from '../../dist/io/postgres/cluster/source-leases.js';
import { ownClock, PlainJournal } from './cluster-flaws.mjs';

const [url, name, lease, ahead, flaw] = process.argv.slice(2);
const leaseMs = Number(lease);
const now = () => Date.now() + Number(ahead);
const MOST = 10;
const VISIT_MS = 400;

const database = await patiently(() =>
  openClusterDatabase({ url, now, maxConnections: 4, connectTimeoutMs: 2000, statementTimeoutMs: 5000 }),
);
const journal = journalOf();
const leases = new PostgresSourceLeases(database);
const held = new Map();
let visits = 0;
say('ready');
void renewForEver();
for (;;) {
  const claimed = await patiently(() =>
    leases.claim({ holder: name, most: MOST - held.size, leaseMs, rev: Number.MAX_SAFE_INTEGER }),
  );
  for (const source of claimed) void visit(source);
  await pause(20);
}

function journalOf() {
  if (flaw === 'plain-sequence') return new PlainJournal(database);
  return new PostgresJournal(flaw === 'own-clock' ? ownClock(database, now) : database);
}

/** A lease that is lost does not end the visit: it is the token that must. */
async function visit({ id, token }) {
  held.set(id, token);
  visits += 1;
  const mark = `${name}.${visits}`;
  await pause(Math.random() * VISIT_MS);
  say(`start ${mark} ${id} ${token}`);
  try {
    const [answer] = await journal.append(writesOf({ id, token, mark }));
    say('rev' in answer ? `ack ${mark} ${answer.rev}` : `refused ${mark}`);
  } catch (error) {
    if (!(error instanceof LogUnavailableError)) throw error;
    say(`unknown ${mark}`);
  }
  held.delete(id);
}

function writesOf({ id, token, mark }) {
  const fence = flaw === 'no-fence' ? {} : { fence: { task: `source:${id}`, token } };
  const count = Math.floor(Math.random() * 4);
  const drafts = Array.from({ length: count }, (_, index) => ({
    source: id,
    action: 'update',
    url: `https://${id}.example/${index}`,
    note: mark,
  }));
  const plan = [{ id, host: `${id}.example`, dueAtMs: now() + Math.random() * 200, releases: true }];
  const body = (what) => new TextEncoder().encode(JSON.stringify({ mark: `${mark}${what}`, id, token }));
  return [
    { kind: 'visit', body: body(''), drafts, ...fence },
    { kind: 'check', body: body('/check'), plan, ...fence },
  ];
}

async function renewForEver() {
  for (;;) {
    await pause(leaseMs / 3);
    const mine = [...held].map(([id, token]) => ({ id, token }));
    await patiently(() => leases.renew(mine, leaseMs));
  }
}

/** The database may be away. */
async function patiently(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) throw error;
      await pause(50);
    }
  }
}

function say(line) {
  writeSync(1, `${line}\n`);
}
