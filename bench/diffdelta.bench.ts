import { type DiffDeltaFeed, GLOBAL_ID, type SourceEntry } from '../src/codecs/diffdelta/wire.ts';
import { globalRunFeed, sourceRunFeed, unchangedEntry } from '../src/dialects/diffdelta/runs/run-feeds.ts';
import { type ItemRecord, itemsOfRun } from '../src/dialects/diffdelta/runs/run-items.ts';
import type { Change } from '../src/model/change.ts';
import { type BenchResult, compare } from './harness.ts';

const PAGES = 100;
/** Per changed source. Ten of them fill the feed of all sources. */
const CHANGED_PAGES = 10;

/**
 * What a changed item costs the engine: its run and the run of all sources, both as text. It must not depend on the number of sources, nor on how many change.
 */
export async function bench(): Promise<BenchResult[]> {
  const few = new Sources(10);
  const many = new Sources(1000);
  return [
    await compare({
      name: 'diffdelta-engine-1000-sources',
      unit: 'item',
      by: 'cpu',
      peerName: '10 sources',
      goal: { atMost: 1.5 },
      ours: () => many.change(10),
      peer: () => few.change(10),
    }),
    await compare({
      name: 'diffdelta-engine-100-changed',
      unit: 'item',
      by: 'cpu',
      peerName: '10 changed',
      goal: { atMost: 1.5 },
      ours: () => many.change(100),
      peer: () => many.change(10),
    }),
  ];
}

/** Sources in memory, each with its pages. */
class Sources {
  readonly #count: number;
  readonly #records = new Map<string, ItemRecord>();
  readonly #served = new Map<string, DiffDeltaFeed>();
  #time = Date.parse('2026-02-05T12:00:00Z');
  #next = 0;

  constructor(count: number) {
    this.#count = count;
    for (let at = 0; at < count; at += 1) this.#run(at, PAGES);
  }

  /** One run of each of the next `changed` sources. Returns the number of items. */
  change(changed: number): number {
    for (let at = 0; at < changed; at += 1) {
      this.#run(this.#next % this.#count, CHANGED_PAGES);
      this.#next += 1;
    }
    return changed * CHANGED_PAGES;
  }

  #run(at: number, pages: number): void {
    const source = `source_${at}`;
    this.#time += 1000;
    const time = new Date(this.#time).toISOString();
    const changes = Array.from({ length: pages }, (_, page) => changeOf(source, page, time));
    const items = itemsOfRun(changes, (id) => this.#records.get(id));
    for (const { item, isRemoved } of items) this.#records.set(item.id, { item, isRemoved });
    const run = { source, time, items, root: '/', ttlSec: 300, facts: { status: 'ok' as const } };
    const own = sourceRunFeed(run, this.#served.get(source)).feed;
    this.#served.set(source, own);
    const entry = own.sources[source];
    if (entry === undefined) throw new Error('A run has an entry of its source.');
    const all = globalRunFeed({ ...run, entry, entryOfOther: (id) => this.#entryOf(id) }, this.#served.get(GLOBAL_ID));
    this.#served.set(GLOBAL_ID, all.feed);
  }

  #entryOf(source: string): SourceEntry | undefined {
    const entry = this.#served.get(source)?.sources[source];
    return entry && unchangedEntry(entry);
  }
}

function changeOf(source: string, page: number, time: string): Change {
  return {
    seq: 1,
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    source,
    kind: 'page',
    action: 'update',
    url: `https://${source.replace('_', '-')}.example/chapter/page-${page}.html`,
    anchor: 'usage',
    time,
    checksum: `sha256:${time}`,
    title: `Page ${page}`,
    excerpt: EXCERPT,
    provenance: { pageChecksum: `sha256:${time}` },
  };
}

const EXCERPT =
  'The server keeps every change in one ordered log and tells its readers which section it was about. '.repeat(5);
