import type { Change } from '../model/change.ts';
import { type AnnounceTarget, targetKey } from './announce-target.ts';
import type { Announced, AnnouncedTargets } from './announced.ts';
import { type AnnounceParcel, announcementsTo } from './announcements.ts';
import { type SendPorts, sendAnnouncement } from './send.ts';

export interface AnnounceRequest {
  readonly targets: readonly AnnounceTarget[];
  readonly site: URL;
  /** The whole log of the site. */
  readonly changes: readonly Change[];
  /** The URLs of the feeds of the site. */
  readonly topics: readonly string[];
  readonly announced: AnnouncedTargets;
  /** A target that was never notified is notified only of the last publish. */
  readonly lastOnly?: boolean;
  /** Only shows what would be sent. */
  readonly dryRun?: boolean;
}

export interface AnnouncePorts extends SendPorts {
  /** The content of `/<key>.txt` on the site; undefined if it does not exist. */
  keyFile(key: string): Promise<string | undefined>;
  /** Durable when it resolves: each notification is recorded before the next target is notified. */
  remember(announced: AnnouncedTargets): Promise<void>;
  /** Called with the number of sent announcements and the total. */
  onProgress?(sent: number, all: number): void;
}

/** The result for one target. */
export interface AnnouncedTarget {
  readonly kind: AnnounceTarget['kind'];
  readonly url: string;
  /** `nothing`: there was nothing new for it. `planned`: only on a dry run. */
  readonly outcome: 'told' | 'nothing' | 'planned' | 'failed';
  /** The announced URLs, or those that would be: feeds for WebSub hubs, otherwise pages. */
  readonly urls: readonly string[];
  readonly requests: number;
  /** Of the last response. */
  readonly status?: number;
  /** Why it failed, and what to do. */
  readonly reason?: string;
  /** What a person should know about a successful announcement. */
  readonly note?: string;
}

export interface AnnounceReport {
  readonly site: string;
  readonly targets: readonly AnnouncedTarget[];
}

/** Notifies each target only of what changed since its last notification. If one fails, it gets everything the next time; the others are notified anyway. */
export async function announceChanges(request: AnnounceRequest, ports: AnnouncePorts): Promise<AnnounceReport> {
  const plans = request.targets.map((target) => planFor(target, request));
  const all = plans.reduce((sum, { announcements }) => sum + announcements.length, 0);
  let sent = 0;
  const counting = { ...ports, onSent: () => ports.onProgress?.(++sent, all) };
  const announced = new Map(request.announced);
  let writing = Promise.resolve();
  const remember = (target: AnnounceTarget, told: Announced) => {
    announced.set(targetKey(target), told);
    // One after the other: each write replaces the whole file.
    writing = writing.then(() => ports.remember(new Map(announced)));
    return writing;
  };
  const targets = await Promise.all(
    plans.map(async (plan) => {
      const result = request.dryRun ? plannedResult(plan) : await carryOut(plan, counting);
      if (!request.dryRun && result.outcome !== 'failed' && plan.last !== undefined) {
        await remember(plan.target, { id: plan.last.id, at: new Date(ports.now()).toISOString() });
      }
      return result;
    }),
  );
  return { site: request.site.href, targets };
}

interface Plan {
  readonly target: AnnounceTarget;
  readonly announcements: readonly AnnounceParcel[];
  /** The newest change that they report. */
  readonly last: Change | undefined;
}

function planFor(target: AnnounceTarget, request: AnnounceRequest): Plan {
  const { site, changes, topics } = request;
  const news = changesFor(request.announced.get(targetKey(target)), request);
  const pages = [...new Set(news.filter(({ kind }) => kind === 'page').map(({ url }) => url))];
  const announcements = news.length === 0 ? [] : announcementsTo(target, { site, topics, pages });
  return { target, announcements, last: news.length === 0 ? undefined : changes.at(-1) };
}

/** If the log does not contain the last announced change, it is a different log: everything is new. */
function changesFor(told: Announced | undefined, { changes, lastOnly }: AnnounceRequest): readonly Change[] {
  const at = told === undefined ? -1 : changes.findLastIndex(({ id }) => id === told.id);
  if (at !== -1 || !lastOnly) return changes.slice(at + 1);
  const time = changes.at(-1)?.time;
  return changes.slice(changes.findLastIndex((change) => change.time !== time) + 1);
}

function resultOf({ target, announcements }: Plan): Omit<AnnouncedTarget, 'outcome'> {
  const urls = announcements.flatMap((announcement) => announcement.urls);
  return { kind: target.kind, url: target.url.href, urls, requests: announcements.length };
}

function plannedResult(plan: Plan): AnnouncedTarget {
  return { ...resultOf(plan), outcome: plan.announcements.length === 0 ? 'nothing' : 'planned' };
}

async function carryOut(plan: Plan, ports: AnnouncePorts & { onSent(): void }): Promise<AnnouncedTarget> {
  const { target, announcements } = plan;
  const result = resultOf(plan);
  if (announcements.length === 0) return { ...result, outcome: 'nothing' };
  const missing = target.kind === 'indexnow' ? await missingKey(target.key, ports) : undefined;
  if (missing !== undefined) return { ...result, outcome: 'failed', requests: 0, reason: missing };
  let status: number | undefined;
  let isPage = false;
  for (const [at, announcement] of announcements.entries()) {
    const sent = await sendAnnouncement(target.url, announcement, ports);
    ports.onSent();
    status = sent.status;
    if (!sent.ok)
      return { ...result, outcome: 'failed', requests: at + 1, ...withStatus(status), reason: reasonOf(target, sent) };
    isPage ||= sent.isPage;
  }
  const note = isPage ? { note: 'It answered with a page of HTML. Is this the address of its endpoint?' } : {};
  return { ...result, outcome: 'told', ...withStatus(status), ...note };
}

/** Search engines fetch the file before they accept an announcement: without it every announcement is useless. */
async function missingKey(key: string, ports: AnnouncePorts): Promise<string | undefined> {
  const text = await ports.keyFile(key);
  if (text?.trim() === key) return undefined;
  const what = text === undefined ? `The site has no ${key}.txt.` : `${key}.txt of the site does not hold the key.`;
  return `${what} Write the key, and nothing else, into that file, publish the site and announce again.`;
}

function reasonOf(
  { kind }: AnnounceTarget,
  { status, message }: { readonly status?: number; readonly message: string },
): string {
  if (kind === 'indexnow' && status === 403)
    return `${message} It does not find the key: is the file of the key public?`;
  if (kind === 'indexnow' && status === 422) return `${message} The key does not count for these URLs.`;
  if (kind === 'hub' && status === 404) return `${message} Does this hub watch the site?`;
  return message;
}

function withStatus(status: number | undefined): { status?: number } {
  return status === undefined ? {} : { status };
}
