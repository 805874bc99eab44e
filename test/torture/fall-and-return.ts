import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../support/site.ts';
import { createTestAuthority } from '../support/test-ca.ts';
import { type Follower, hubFollower, onceFollower } from './fall-followers.ts';
import { judge } from './fall-judge.ts';
import { type FallSite, type FeedFault, startFallSite } from './fall-site.ts';
import { startFallSurface } from './fall-surface.ts';
import type { TortureReport } from './harness.ts';
import { newSeed, Random } from './hub-random.ts';

/** Those whose feeds tell of pages. */
const DIALECTS = ['aicf', 'diffdelta', 'resourcesync', 'atom', 'rss'];
/** Faults at which a feed cannot be read: the others leave one that is old, or is read for what it is. */
const HARD: readonly FeedFault[] = ['404', '500', 'html'];
/** Faults that end with the entry that they are found at (agent-feed draft-00, section 5). */
const SOFT: readonly FeedFault[] = ['signature'];
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

/**
 * Breaks the feed of each site in each way while it is edited, and mends it: every edit is told, and none twice, by a hub as by `follow`. An
 * agent-feed is followed by the hub alone: others may ask for it once a minute.
 */
export async function tortureFall({
  rounds,
  seed = newSeed(),
  followers: wanted = ['hub', 'follow'],
}: {
  rounds: number;
  seed?: number;
  followers?: readonly string[];
}): Promise<FallReport> {
  const random = new Random(seed);
  const authority = createTestAuthority();
  await using sites = await startSites(authority.issue('localhost'));
  using folder = temporaryFolder();
  const parts = { sites: sites.all, folder: folder.path, ca: authority.cert, confirmMs: CONFIRM_MS };
  await using hub = await hubFollower(parts);
  const once = onceFollower({ ...parts, sites: sites.ofPages });
  const followers = [hub, once].filter(({ name }) => wanted.includes(name));
  const story = new Story(followers, sites.all, random);
  await story.look();
  await story.begin();
  for (let round = 0; story.rounds < rounds; round += 1) {
    // Each site meets each fault in its turn.
    await story.round(
      sites.all.map((site, index) => ({ site, fault: site.faults[(round + index) % site.faults.length] ?? '404' })),
    );
  }
  return story.report(seed);
}

class Story {
  readonly #followers: readonly Follower[];
  readonly #sites: readonly FallSite[];
  readonly #random: Random;
  readonly #byFault: Record<string, number> = {};
  readonly #begun = new Map<string, number>();
  /** Of each site that was broken and mended. */
  rounds = 0;
  #hits = 0;
  #falls = 0;
  #unreturned = 0;
  #needless = 0;

  constructor(followers: readonly Follower[], sites: readonly FallSite[], random: Random) {
    this.#followers = followers;
    this.#sites = sites;
    this.#random = random;
  }

  /** What is told before any edit is what the sites are. */
  async begin(): Promise<void> {
    for (const follower of this.#followers) {
      for (const site of follower.sites) this.#begun.set(nameOf(follower, site), (await follower.told(site)).length);
    }
  }

  async look(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.look()));
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
      site.fired > (before[index] ?? 0) &&
      (!HARD.includes(fault) || this.#followersOf(site).every((follower) => fell.has(nameOf(follower, site))));
    const wanted = random.integer(3, 6);
    for (let looks = 0; looks < wanted || (looks < MAX_FAULT_LOOKS && !plan.every(isHit)); looks += 1) {
      await this.#editSome();
      await pause(random.integer(0, CONFIRM_MS * 2));
      await this.look();
      for (const { site } of plan) {
        for (const one of this.#followersOf(site)) if (one.isOnPages(site)) fell.add(nameOf(one, site));
      }
    }
    const hits = plan.map(isHit);
    if (random.chance(0.5)) await this.#editSome();
    for (const { site } of plan) site.mend();
    if (random.chance(0.5)) await this.#editSome();
    await this.#settle();
    for (const [index, trial] of plan.entries()) this.#count(trial, hits[index] === true, fell);
  }

  #count({ site, fault }: FeedTrial, isHit: boolean, fell: ReadonlySet<string>): void {
    const falls = this.#followersOf(site).filter((follower) => fell.has(nameOf(follower, site))).length;
    const name = `${site.dialect} ${fault}`;
    this.rounds += 1;
    this.#falls += falls;
    if (SOFT.includes(fault)) this.#needless += falls;
    this.#byFault[name] = (this.#byFault[name] ?? 0) + Number(isHit);
    this.#hits += Number(isHit);
  }

  async report(seed: number): Promise<FallReport> {
    const lost: string[] = [];
    const doubled: string[] = [];
    for (const follower of this.#followers) {
      for (const site of follower.sites) {
        const name = nameOf(follower, site);
        const told = (await follower.told(site)).slice(this.#begun.get(name));
        const verdict = judge(site.edits, told, site.url);
        lost.push(...verdict.lost.map((line) => `${name}: ${line}`));
        doubled.push(...verdict.doubled.map((line) => `${name}: ${line}`));
      }
    }
    return {
      name: 'fall and return',
      seed,
      rounds: this.rounds,
      hits: this.#hits,
      edits: this.#sites.reduce((sum, { edits }) => sum + edits.length, 0),
      falls: this.#falls,
      byFault: this.#byFault,
      wrong: {
        lost: lost.length,
        doubled: doubled.length,
        'not returned': this.#unreturned,
        'fallen for a signature': this.#needless,
      },
      examples: [...lost.map((line) => `lost: ${line}`), ...doubled.map((line) => `doubled: ${line}`)].slice(0, 20),
    };
  }

  #followersOf(site: FallSite): readonly Follower[] {
    return this.#followers.filter(({ sites }) => sites.includes(site));
  }

  async #editSome(): Promise<void> {
    for (const site of this.#sites) {
      for (let count = this.#random.integer(0, 2); count > 0; count -= 1) await site.edit(this.#random);
    }
  }

  /** Until all are back on their feeds and nothing is told any more. */
  async #settle(): Promise<void> {
    for (let looks = 0; looks < MAX_SETTLE_LOOKS; looks += 1) {
      const before = await this.#toldSoFar();
      await pause(CONFIRM_MS);
      await this.look();
      const isBack = this.#followers.every((one) => one.sites.every((site) => !one.isOnPages(site)));
      if (isBack && (await this.#toldSoFar()) === before) return;
    }
    this.#unreturned += 1;
  }

  async #toldSoFar(): Promise<number> {
    let count = 0;
    for (const follower of this.#followers) {
      for (const site of follower.sites) count += (await follower.told(site)).length;
    }
    return count;
  }
}

function nameOf({ name }: Follower, { dialect }: FallSite): string {
  return `${name} ${dialect}`;
}

export function describeFall(report: FallReport): string {
  const { name, rounds, edits, falls, hits, wrong, examples, byFault, seed } = report;
  const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
  const fired = Object.entries(byFault).map(([fault, count]) => `${fault} ${count}`);
  const line = `${name} (seed ${seed}): ${rounds} rounds, ${edits} edits, ${falls} falls, ${hits} faults fired: ${counts.join(', ')}`;
  return [line, `  fired: ${fired.join(', ')}`, ...examples.map((example) => `  ${example}`)].join('\n');
}

interface FallSites extends AsyncDisposable {
  readonly all: readonly FallSite[];
  readonly ofPages: readonly FallSite[];
}

async function startSites(tls: Parameters<typeof startFallSurface>[0]): Promise<FallSites> {
  const ofPages = await Promise.all(DIALECTS.map(startFallSite));
  const all = [...ofPages, await startFallSurface(tls)];
  return {
    all,
    ofPages,
    async [Symbol.asyncDispose]() {
      for (const site of all) await site[Symbol.asyncDispose]();
    },
  };
}
