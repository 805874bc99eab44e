import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AicfEvent, decodeDiscovery, decodeEvents } from '../../src/doors/aicf.ts';
import { publish } from '../../src/doors/publish.ts';
import { extractPage } from '../../src/extract/extract-page.ts';
import { editionHtml, FIRST_EDITIONS, pageOf } from './editions.mjs';
import { type Child, startChild, type TortureReport } from './harness.ts';

/** So many kills does one site suffer before the next one starts from nothing. */
const ROUNDS_PER_SITE = 25;
const SITE = 'https://docs.example/';
const LOG = '.well-known/tidings/log.ndjson';

/** What is wrong with a feed, by kind. */
export interface Wrong {
  lost: number;
  doubled: number;
  reordered: number;
  changed: number;
  torn: number;
}

export function nothingWrong(): Wrong {
  return { lost: 0, doubled: 0, reordered: 0, changed: 0, torn: 0 };
}

/** Kills a publisher at random moments, round after round, under the eyes of a reader of the served files. */
export async function torturePublish(rounds: number): Promise<TortureReport> {
  const wrong = nothingWrong();
  let hits = 0;
  for (let done = 0; done < rounds; done += ROUNDS_PER_SITE) {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-'));
    hits += await tortureOneSite(folder, Math.min(ROUNDS_PER_SITE, rounds - done), wrong);
    await rm(folder, { recursive: true });
  }
  return { name: 'publish', rounds, hits, wrong: { ...wrong } };
}

async function tortureOneSite(dir: string, rounds: number, wrong: Wrong): Promise<number> {
  const reader = new ServedFiles(dir, wrong);
  const published = new Set<number>();
  let next = FIRST_EDITIONS.length;
  let hits = 0;
  for (const edition of FIRST_EDITIONS) writeFileSync(join(dir, pageOf(edition)), editionHtml(edition));

  for (let round = 1; round <= rounds; round += 1) {
    const child = startChild('publish-child.mjs', [dir, `${next}`]);
    const reading = reader.readWhile(child);
    await killAtRandom(child);
    await reading;
    const editions = (word: string) =>
      child.lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(' ')[1]));
    for (const edition of editions('done')) published.add(edition);
    if (editions('start').length > editions('done').length) hits += 1;
    // The page may hold an edition that the child had no time to speak of.
    next = Math.max(next, ...editions('start').map((edition) => edition + 1)) + 1;
  }
  // One run that nobody disturbs completes whatever was left behind.
  await publish({ dir, site: SITE, rotateBytes: 20_000 });
  reader.read();
  judge(readFeed(dir), published, wrong);
  return hits;
}

async function killAtRandom(child: Child): Promise<void> {
  await child.waitFor('ready');
  await pause(Math.random() * 120);
  child.kill();
  const ended = await child.ended;
  if (ended !== 'SIGKILL') throw new Error(`The publisher ended by itself: ${ended}.`);
}

/** Every file that the site serves, as they were last seen: whatever was served once must stay as it was. */
export class ServedFiles {
  readonly #dir: string;
  readonly #wrong: Wrong;
  readonly #seen = new Map<string, string>();

  constructor(dir: string, wrong: Wrong) {
    this.#dir = dir;
    this.#wrong = wrong;
  }

  async readWhile(child: Child): Promise<void> {
    let alive = true;
    void child.ended.then(() => {
      alive = false;
    });
    while (alive) {
      this.read();
      await pause(1);
    }
    this.read();
  }

  read(): void {
    for (const name of [...readdirSync(this.#dir).filter((file) => /^ai-changes.*\.ndjson$/.test(file)), LOG]) {
      const file = join(this.#dir, name);
      if (!existsSync(file)) continue;
      const text = readFileSync(file, 'utf8');
      if (!text.startsWith(this.#seen.get(name) ?? '')) this.#wrong.changed += 1;
      if (!text.endsWith('\n')) this.#wrong.torn += 1;
      this.#seen.set(name, text);
    }
    const discovery = join(this.#dir, '.well-known/ai-changefeed');
    if (existsSync(discovery) && !decodeDiscovery(readFileSync(discovery, 'utf8')).ok) this.#wrong.torn += 1;
  }
}

/** The whole feed by its own discovery, oldest first; the lines that a rotated file repeats count once. */
function readFeed(dir: string): AicfEvent[] {
  const discovery = decodeDiscovery(readFileSync(join(dir, '.well-known/ai-changefeed'), 'utf8'));
  if (!discovery.ok) throw new Error(discovery.issues[0].message);
  const urls = [...(discovery.value.archives ?? []), discovery.value.self];
  const events = urls.flatMap((url) => decodeEvents(readFileSync(join(dir, url.slice(SITE.length)), 'utf8')).events);
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

export function judge(events: readonly AicfEvent[], published: ReadonlySet<number>, wrong: Wrong): void {
  const last = Math.max(...published, 0) + 1000;
  const editionOf = new Map<string, number>();
  for (let edition = 0; edition < last; edition += 1) {
    const page = extractPage(editionHtml(edition), SITE + pageOf(edition));
    editionOf.set(`${page.url} ${page.checksum}`, edition);
    for (const { anchor, checksum } of page.sections)
      if (anchor === 'changes') editionOf.set(`${page.url} ${checksum}`, edition);
  }
  const told = new Set<number>();
  const newest = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const edition = editionOf.get(`${event.url} ${event.checksum}`) ?? -1;
    if (told.has(edition) || edition === -1) wrong.doubled += 1;
    if (edition < (newest.get(event.url) ?? -1) || event.id <= (events[index - 1]?.id ?? '')) wrong.reordered += 1;
    told.add(edition);
    newest.set(event.url, edition);
  }
  for (const edition of published) if (!told.has(edition)) wrong.lost += 1;
}
