import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type ManySites, startManySites } from '../test/support/many-sites.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../test/support/postgres-server.ts';
import { Fleet } from './cluster-fleet.ts';
import type { BenchResult } from './harness.ts';
import { until } from './hub-processes.ts';

const HOSTS = 20;
const EDITS = 15;
const EDIT_EVERY_MS = 1300;
const SCHEMA = 'delay';

/**
 * The delay from the commit of a change that a worker found to a reader of `/events` at a server, compared with a bare session that listens to the same
 * database. Both are measured from the moment the database stored the change, just before its commit.
 */
export async function bench(): Promise<BenchResult[]> {
  const bin = findPostgres();
  if (bin === undefined) {
    process.stdout.write('cluster-delay: skipped, no PostgreSQL on this machine\n');
    return [];
  }
  await using server = await startPostgres(bin, { settings: ['fsync=on', 'shared_buffers=128MB'] });
  await using sites = await startManySites(HOSTS);
  for (const { content } of sites.hosts) content.put('/', pageOf(0));
  const sources = sites.hosts.map(({ url }, at) => ({ id: `p${at}`, kind: 'page', urls: [url], intervalSeconds: 1 }));
  await using fleet = await Fleet.open({ server, schema: SCHEMA, cooldownMs: 0, sources });
  const reader = await fleet.serve(['--no-worker']);
  await fleet.work();
  const heard = new Map<string, number>();
  const over = new AbortController();
  const reading = readEvents(new URL('events', reader.said.url), (id) => heard.set(id, Date.now()), over.signal);
  await until(async () => heard.size >= HOSTS);
  const bare = await listenBare(server);
  await edit(sites, heard);
  over.abort();
  await reading.catch(() => {});
  const told = await bare.end();
  const after = ({ id, atMs }: Given, moment: ReadonlyMap<string, number>) => (moment.get(id) ?? Number.NaN) - atMs;
  return [
    {
      name: 'cluster-delay',
      by: 'figures',
      ours: percentiles(told.map((given) => after(given, heard))),
      peer: percentiles(told.map((given) => after(given, bare.heard))),
      peerName: 'a session that listens',
      goal: 'none',
      reached: true,
    },
  ];
}

async function edit({ hosts }: ManySites, heard: ReadonlyMap<string, number>): Promise<void> {
  for (let edition = 1; edition <= EDITS; edition += 1) {
    for (const { content } of hosts) content.put('/', pageOf(edition));
    await until(async () => heard.size >= HOSTS * (1 + edition));
    await pause(EDIT_EVERY_MS);
  }
}

interface Given {
  readonly id: string;
  readonly atMs: number;
}

/** Is notified of each commit like any listener. Which changes they were is looked up at the end. */
async function listenBare({ url }: PostgresServer) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: before } = await client.query<{ readonly rev: number }>(`SELECT rev::float8 FROM ${SCHEMA}.head`);
  const { rows: channels } = await client.query<{ readonly name: string }>(
    `SELECT 'tidings_' || left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 16) AS name`,
    [SCHEMA],
  );
  const words: { readonly rev: number; readonly atMs: number }[] = [];
  client.on('notification', ({ payload }) => words.push({ rev: Number(payload), atMs: Date.now() }));
  await client.query(`LISTEN ${channels[0]?.name}`);
  const heard = new Map<string, number>();
  return {
    heard,
    async end(): Promise<readonly Given[]> {
      const { rows } = await client.query<Given & { readonly rev: number }>(
        `SELECT change.id, write.rev::float8, (extract(epoch FROM write.at) * 1000)::float8 AS "atMs"
         FROM ${SCHEMA}.changes AS change JOIN ${SCHEMA}.writes AS write USING (rev) WHERE write.rev > $1`,
        [before[0]?.rev ?? 0],
      );
      await client.end();
      for (const { id, rev } of rows) heard.set(id, words.find((word) => word.rev >= rev)?.atMs ?? Number.NaN);
      return rows;
    },
  };
}

async function readEvents(url: URL, onEvent: (id: string) => void, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(url, { signal });
  let text = '';
  for await (const bytes of body ?? []) {
    text += Buffer.from(bytes).toString('utf8');
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      const { id } = data?.startsWith('{') ? JSON.parse(data) : { id: undefined };
      if (typeof id === 'string') onEvent(id);
    }
  }
}

function percentiles(delays: readonly number[]): Record<string, number> {
  const sorted = delays.filter((delay) => !Number.isNaN(delay)).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  return { changes: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Each edition edits another section, because what changes at every look is held back. */
function pageOf(edition: number): string {
  const sections = Array.from(
    { length: EDITS },
    (_, at) =>
      `<h2 id="s${at}">Section ${at}</h2><p>The ${at < edition ? 'edited' : 'first'} text of section ${at}.</p>`,
  );
  return `<!doctype html><title>A page</title><main><h1>A page</h1>${sections.join('')}</main>`;
}
