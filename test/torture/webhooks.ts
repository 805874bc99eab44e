import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { htmlPage } from '../support/site.ts';
import { passed, type TortureReport } from './harness.ts';
import { HUB_TOKEN, startHub, writeHubConfig } from './hub-process.ts';
import { newSeed, Random } from './hub-random.ts';
import { type JournalLine, judgeSubscriber, type Phase, relativeLags, type Verdict } from './webhook-judge.ts';
import { FAILURES, type GoodReceiver, startBadReceiver, startGoodReceiver } from './webhook-receivers.ts';

export interface WebhookTorture {
  readonly rounds: number;
  readonly seed?: number;
  /** Of 20 subscriptions, those that fail are as many as there are ways to fail, and one that is slow. */
  readonly subscriptions?: number;
  /** In the end nobody is killed, and so many changes are told, first while nobody fails and then while others do. */
  readonly calmChanges?: number;
  /** Who has a change so much later behind the first one than anybody had while nobody failed, has waited for one that fails. */
  readonly waitedMs?: number;
}

export interface WebhookReport extends TortureReport {
  readonly seed: number;
  readonly figures: Readonly<Record<string, number>>;
}

const PROCESSES = 3;
const MIN_LIFE_MS = 400;
const MAX_LIFE_MS = 3000;
const SETTLE_MS = 120_000;
const POLL_MS = 200;

/** Kills the hub and receivers at random while changes are told to good, slow and failing subscribers. */
export async function tortureWebhooks(torture: WebhookTorture): Promise<WebhookReport> {
  const { rounds, seed = newSeed(), subscriptions = 20, calmChanges = 40, waitedMs = 1000 } = torture;
  const random = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-webhooks-'));
  try {
    const site = openSite(folder);
    const goods = subscriptions - Object.keys(FAILURES).length - 1;
    const secrets = secretsOf(goods, random);
    const secretsFile = join(folder, 'secrets.json');
    writeFileSync(secretsFile, JSON.stringify(secrets));
    await using receivers = await startReceivers(folder, secretsFile);
    await using bad = await startBadReceiver();
    site.write(3);
    await subscribeAll({ folder, receivers: receivers.all, badUrl: bad.url, secrets });

    const kills = { hub: 0, receivers: 0, amidst: 0, endedByItself: 0 };
    for (let round = 1; round <= rounds; round += 1) {
      await oneRound({ folder, site, receivers: receivers.all, random, kills });
    }
    const calm = await calmLife({ folder, site, receivers: receivers.all, calmChanges });
    const journals = journalsOf(receivers.all, Object.keys(secrets));
    const verdicts = [...journals.values()].map((lines) => judgeSubscriber(lines, calm.log));
    const [alone, beside] = calm.phases.map((phase) =>
      relativeLags(journals, phase).sort((left, right) => left - right),
    );
    const most = (alone?.at(-1) ?? 0) + waitedMs;
    const { doubles, ...wrong } = addVerdicts(verdicts);
    return {
      name: 'webhooks',
      seed,
      rounds,
      hits: kills.amidst,
      wrong: {
        ...wrong,
        waitedForOthers: beside?.filter((lag) => lag > most).length ?? 1,
        notAll: calm.isWhole ? 0 : 1,
        endedByItself: kills.endedByItself,
      },
      figures: {
        subscriptions,
        good: journals.size,
        changes: calm.log.length,
        deliveries: [...journals.values()].reduce((sum, lines) => sum + lines.length, 0),
        doubles,
        hubKills: kills.hub,
        receiverKills: kills.receivers,
        failedRequests: [...bad.asked.values()].reduce((sum, count) => sum + count, 0),
        ...lagFigures('alone', alone),
        ...lagFigures('beside', beside),
      },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** How much later the good ones had a change than the first of them, in milliseconds. */
function lagFigures(name: string, lags: readonly number[] = []): Record<string, number> {
  const at = (share: number) => lags[Math.floor(lags.length * share)] ?? 0;
  return {
    [`${name}Deliveries`]: lags.length,
    [`${name}P50Ms`]: at(0.5),
    [`${name}P99Ms`]: at(0.99),
    [`${name}MaxMs`]: lags.at(-1) ?? 0,
  };
}

export function describeWebhooks(report: WebhookReport): string {
  const count = ([what, number]: [string, number]) => `${number} ${what}`;
  const wrong = Object.entries(report.wrong).map(count).join(', ');
  const figures = Object.entries(report.figures).map(count).join(', ');
  const verdict = passed(report) ? 'ok' : 'FAILED';
  return `${report.name}: ${report.rounds} rounds (seed ${report.seed}), ${report.hits} kills in the midst of work: ${wrong}: ${verdict}\n  ${figures}`;
}

interface Site {
  /** So many new pages. */
  write(pages: number): void;
  readonly pages: () => number;
}

function openSite(folder: string): Site {
  const path = join(folder, 'site');
  mkdirSync(path);
  let pages = 0;
  const source = { id: 'docs', kind: 'folder', path, site: 'https://docs.example/', intervalSeconds: 1 };
  writeHubConfig(folder, { cooldownMs: 0, sources: [source], webhooks: { firstRetryMs: 100 } });
  return {
    write(more) {
      for (let left = more; left > 0; left -= 1) {
        pages += 1;
        const text = `The page number ${pages} says what no other page says, in ${pages * 7} words.`;
        const html = htmlPage(`Page ${pages}`, [{ id: `part-${pages}`, heading: `Part ${pages}`, text }]);
        writeFileSync(join(path, `page-${pages}.html`), html);
      }
    },
    pages: () => pages,
  };
}

function secretsOf(goods: number, random: Random): Record<string, string> {
  const bytes = () => Buffer.from(Array.from({ length: 32 }, () => random.integer(0, 255)));
  const paths = Array.from({ length: goods }, (_, at) => `/good-${at}`);
  return Object.fromEntries(paths.map((path) => [path, `whsec_${bytes().toString('base64')}`]));
}

async function startReceivers(folder: string, secretsFile: string) {
  const all: GoodReceiver[] = [];
  for (let at = 0; at < PROCESSES; at += 1) all.push(await startGoodReceiver(folder, `receiver-${at}`, secretsFile));
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const receiver of all) await receiver[Symbol.asyncDispose]();
    },
  };
}

interface SubscribeParts {
  readonly folder: string;
  readonly receivers: readonly GoodReceiver[];
  readonly badUrl: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** A third of the good ones takes batches. */
async function subscribeAll({ folder, receivers, badUrl, secrets }: SubscribeParts): Promise<void> {
  await using hub = startHub({ folder });
  const url = await hub.url;
  const wishes = Object.entries(secrets).map(([path, secret], at) => ({
    url: new URL(path, receivers[at % receivers.length]?.url).href,
    secret,
    from: 'start',
    ...(at % 3 === 0 && { batch: { max: 4, waitMs: 50 } }),
  }));
  const failing = [...Object.keys(FAILURES), 'slow'].map((name) => ({ url: `${badUrl}${name}`, from: 'start' }));
  for (const wish of [...wishes, ...failing]) await ask(url, 'POST subscriptions', wish);
  await until(async () => (await listed(url)).every(({ status }) => status !== 'pending'));
  await hub.stop();
}

interface RoundParts {
  readonly folder: string;
  readonly site: Site;
  readonly receivers: readonly GoodReceiver[];
  readonly random: Random;
  readonly kills: { hub: number; receivers: number; amidst: number; endedByItself: number };
}

/** One life of the hub, from its start to its kill. */
async function oneRound({ folder, site, receivers, random, kills }: RoundParts): Promise<void> {
  const before = receivers.map((receiver) => receiver.journal().length);
  await using hub = startHub({ folder });
  site.write(random.integer(1, 4));
  const isEarly = random.chance(0.1);
  if (isEarly) await pause(random.integer(0, 600));
  else await hub.url;
  const lifeMs = random.integer(MIN_LIFE_MS, MAX_LIFE_MS);
  const disturbing = random.chance(0.5)
    ? disturb(random.pick(receivers), random.integer(0, lifeMs), random.integer(20, 500))
    : undefined;
  if (disturbing !== undefined) kills.receivers += 1;
  if (!isEarly) await pause(lifeMs);
  hub.kill();
  const ended = await hub.ended;
  if (ended === 'SIGKILL') kills.hub += 1;
  else kills.endedByItself += 1;
  await disturbing;
  if (receivers.some((receiver, at) => receiver.journal().length > (before[at] ?? 0))) kills.amidst += 1;
}

async function disturb(receiver: GoodReceiver, afterMs: number, forMs: number): Promise<void> {
  await pause(afterMs);
  await receiver.killFor(forMs);
}

interface CalmParts extends Pick<RoundParts, 'folder' | 'site' | 'receivers'> {
  readonly calmChanges: number;
}

/**
 * A life without kills: what was left is told. Then changes come, first while those that fail are disabled, and then while they are taken up
 * again and again, so that they fail all the time and do not wait for hours in between.
 */
async function calmLife({ folder, site, receivers, calmChanges }: CalmParts) {
  await using hub = startHub({ folder });
  const url = await hub.url;
  const isGood = (one: Listed) => receivers.some((receiver) => one.url.startsWith(receiver.url));
  const isTold = async () => {
    const good = (await listed(url)).filter(isGood);
    return (await wholeLog(url)).length >= site.pages() && good.every(({ lag }) => lag === 0);
  };
  const setOthers = async (status: 'active' | 'disabled') => {
    const others = (await listed(url)).filter((one) => !isGood(one) && one.status !== status);
    for (const { id } of others) await ask(url, `PATCH subscriptions/${id}`, { status });
  };
  const phases: Phase[] = [];
  let isWhole = true;
  for (const status of ['disabled', 'active'] as const) {
    await setOthers(status);
    isWhole = await until(isTold);
    const sinceMs = Date.now();
    for (let told = 0; told < calmChanges; told += 2) {
      await setOthers(status);
      site.write(2);
      await pause(1000);
    }
    isWhole &&= await until(isTold);
    phases.push({ sinceMs, untilMs: Date.now() });
  }
  const log = await wholeLog(url);
  await hub.stop();
  return { log, phases, isWhole };
}

interface Listed {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly lag: number;
}

async function listed(url: string): Promise<readonly Listed[]> {
  return ((await ask(url, 'GET subscriptions')) as { readonly subscriptions: readonly Listed[] }).subscriptions;
}

async function wholeLog(url: string): Promise<readonly { readonly id: string; readonly seq: number }[]> {
  const log: { readonly id: string; readonly seq: number }[] = [];
  for (let after = ''; ; ) {
    const page = (await ask(url, `GET changes?limit=1000${after}`)) as { changes: typeof log; next: string | null };
    log.push(...page.changes);
    if (page.changes.length < 1000) return log;
    after = `&after=${page.next}`;
  }
}

async function ask(url: string, line: string, body?: unknown): Promise<unknown> {
  const [method = '', path = ''] = line.split(' ');
  const answer = await fetch(new URL(`api/v1/${path}`, url), {
    method,
    headers: { authorization: `Bearer ${HUB_TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${line} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text);
}

async function until(isDone: () => Promise<boolean>): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < SETTLE_MS; waitedMs += POLL_MS) {
    if (await isDone()) return true;
    await pause(POLL_MS);
  }
  return false;
}

function journalsOf(receivers: readonly GoodReceiver[], paths: readonly string[]): Map<string, readonly JournalLine[]> {
  const all = receivers.map((receiver) => receiver.journal());
  return new Map(paths.map((path, at) => [path, all[at % all.length]?.filter((line) => line.path === path) ?? []]));
}

function addVerdicts(verdicts: readonly Verdict[]): Verdict {
  const sum = { missing: 0, reordered: 0, badSignatures: 0, changedBodies: 0, otherIds: 0, doubles: 0 };
  for (const one of verdicts) {
    for (const name of Object.keys(sum) as (keyof Verdict)[]) sum[name] += one[name];
  }
  return sum;
}
