import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedHub, openEmbeddedHub } from '../../src/doors/embedded-hub.ts';
import type { Change } from '../../src/model/change.ts';
import { temporaryFolder } from '../support/site.ts';
import { judge } from './fall-judge.ts';
import { FAULTS, type FallSite, type FeedFault, startFallSite } from './fall-site.ts';
import type { TortureReport } from './harness.ts';
import { newSeed, Random } from './hub-random.ts';

/** Those whose feeds tell of pages. */
const DIALECTS = ['aicf', 'diffdelta', 'resourcesync', 'atom'];
/** Faults at which a feed cannot be read: the others leave one that is old, or is read for what it is. */
const HARD: readonly FeedFault[] = ['404', '500', 'html'];
const CONFIRM_MS = 15;
const MAX_SETTLE_LOOKS = 12;
const MAX_FAULT_LOOKS = 40;

export interface FallReport extends TortureReport {
  readonly seed: number;
  readonly edits: number;
  readonly falls: number;
  readonly byFault: Readonly<Record<string, number>>;
  readonly examples: readonly string[];
}

interface FeedTrial {
  readonly site: FallSite;
  readonly fault: FeedFault;
}

/** Breaks the feed of each site in each way while it is edited, and mends it: every edit is told, and none twice. */
export async function tortureFall({
  rounds,
  seed = newSeed(),
}: {
  rounds: number;
  seed?: number;
}): Promise<FallReport> {
  const random = new Random(seed);
  await using sites = await startSites();
  using folder = temporaryFolder();
  await using hub = await openEmbeddedHub({
    data: folder.path,
    sources: sites.all.map(({ id, url }) => ({ id, kind: 'auto', url, intervalSeconds: 3600 })),
    allowPrivate: true,
    cooldownMs: 0,
    confirmMs: CONFIRM_MS,
  });
  const story = new Story(hub, sites.all, random);
  await story.look();
  await story.begin();
  for (let done = 0; done < rounds; done += sites.all.length) {
    // Each site meets each fault in its turn.
    const plan = sites.all.map((site, index) => ({
      site,
      fault: FAULTS[(done / sites.all.length + index) % FAULTS.length] ?? '404',
    }));
    await story.round(plan);
  }
  return story.report(seed);
}

class Story {
  readonly #hub: EmbeddedHub;
  readonly #sites: readonly FallSite[];
  readonly #random: Random;
  readonly #byFault: Record<string, number> = {};
  readonly #begun = new Map<string, number>();
  #rounds = 0;
  #hits = 0;
  #falls = 0;
  #unreturned = 0;

  constructor(hub: EmbeddedHub, sites: readonly FallSite[], random: Random) {
    this.#hub = hub;
    this.#sites = sites;
    this.#random = random;
  }

  /** What is told before any edit is what the sites are. */
  async begin(): Promise<void> {
    for (const { id } of this.#sites) this.#begun.set(id, (await this.#changesOf(id)).length);
  }

  async look(): Promise<void> {
    await this.#hub.look(new AbortController().signal);
  }

  /** The faults stay until each has been met, and each hard one has made its site fall. */
  async round(plan: readonly FeedTrial[]): Promise<void> {
    const random = this.#random;
    await this.#editSome();
    await this.look();
    if (random.chance(0.5)) await this.#editSome();
    const before = plan.map(({ site }) => site.fired);
    for (const { site, fault } of plan) site.breakFeed(fault);
    const fell = new Set<string>();
    const isHit = ({ site, fault }: FeedTrial, index: number) =>
      site.fired > (before[index] ?? 0) && (fell.has(site.id) || !HARD.includes(fault));
    const wanted = random.integer(3, 6);
    for (let looks = 0; looks < wanted || (looks < MAX_FAULT_LOOKS && !plan.every(isHit)); looks += 1) {
      await this.#editSome();
      await pause(random.integer(0, CONFIRM_MS * 2));
      await this.look();
      for (const { site } of plan) if (this.#rungOf(site) === 'pages') fell.add(site.id);
    }
    const hits = plan.map(isHit);
    if (random.chance(0.5)) await this.#editSome();
    for (const { site } of plan) site.mend();
    if (random.chance(0.5)) await this.#editSome();
    await this.#settle();
    for (const [index, { site, fault }] of plan.entries()) {
      this.#rounds += 1;
      const isHitHere = hits[index] === true;
      this.#falls += Number(fell.has(site.id));
      this.#byFault[`${site.dialect} ${fault}`] = (this.#byFault[`${site.dialect} ${fault}`] ?? 0) + Number(isHitHere);
      this.#hits += Number(isHitHere);
    }
  }

  async report(seed: number): Promise<FallReport> {
    const lost: string[] = [];
    const doubled: string[] = [];
    let edits = 0;
    for (const site of this.#sites) {
      const told = (await this.#changesOf(site.id)).slice(this.#begun.get(site.id));
      const verdict = judge(site.edits, told, site.url);
      const named = (list: readonly string[]) => list.map((line) => `${site.dialect}: ${line}`);
      lost.push(...named(verdict.lost));
      doubled.push(...named(verdict.doubled));
      edits += site.edits.length;
    }
    return {
      name: 'fall and return',
      seed,
      rounds: this.#rounds,
      hits: this.#hits,
      edits,
      falls: this.#falls,
      byFault: this.#byFault,
      wrong: { lost: lost.length, doubled: doubled.length, 'not returned': this.#unreturned },
      examples: [...lost.map((line) => `lost: ${line}`), ...doubled.map((line) => `doubled: ${line}`)].slice(0, 20),
    };
  }

  async #editSome(): Promise<void> {
    for (const site of this.#sites) {
      for (let count = this.#random.integer(0, 2); count > 0; count -= 1) await site.edit(this.#random);
    }
  }

  /** Until all are back on their feeds and nothing is told any more. */
  async #settle(): Promise<void> {
    for (let looks = 0; looks < MAX_SETTLE_LOOKS; looks += 1) {
      const before = await this.#hub.store.lastChange();
      await pause(CONFIRM_MS);
      await this.look();
      const isStill = (await this.#hub.store.lastChange())?.seq === before?.seq;
      if (isStill && this.#sites.every((site) => this.#rungOf(site) === 'feed')) return;
    }
    this.#unreturned += 1;
  }

  #rungOf({ id }: FallSite): string | undefined {
    return this.#hub.watch.source(id)?.health.ladder?.rung;
  }

  async #changesOf(source: string): Promise<readonly Change[]> {
    const changes: Change[] = [];
    for await (const change of this.#hub.store.changes({ source })) changes.push(change);
    return changes;
  }
}

export function describeFall(report: FallReport): string {
  const { name, rounds, edits, falls, hits, wrong, examples, byFault, seed } = report;
  const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
  const fired = Object.entries(byFault).map(([fault, count]) => `${fault} ${count}`);
  const line = `${name} (seed ${seed}): ${rounds} rounds, ${edits} edits, ${falls} falls, ${hits} faults fired: ${counts.join(', ')}`;
  return [line, `  fired: ${fired.join(', ')}`, ...examples.map((example) => `  ${example}`)].join('\n');
}

async function startSites(): Promise<AsyncDisposable & { readonly all: readonly FallSite[] }> {
  const all = await Promise.all(DIALECTS.map(startFallSite));
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const site of all) await site[Symbol.asyncDispose]();
    },
  };
}
