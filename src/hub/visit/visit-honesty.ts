import { TidingsError } from '../../errors/tidings-error.ts';
import { compareSample, lookAtSample, type SampleLooks } from '../../follow/honesty/compare-sample.ts';
import { countVerdicts, hasFindings } from '../../follow/honesty/honesty-report.ts';
import type { PageVerdict } from '../../follow/honesty/judge-page.ts';
import { type HonestySample, loadSample, saveSample } from '../../follow/honesty/sample.ts';
import { takeSample } from '../../follow/honesty/take-sample.ts';
import type { Change } from '../../model/change.ts';
import type { HonestyStanding } from '../../model/honesty-standing.ts';
import { sourceAddress } from '../config/source-address.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { isOfTheStore } from './visit-end.ts';
import type { HonestySampling, VisitPorts } from './visit-ports.ts';

/** A look at sample pages of a source, before its feed is read. */
export interface BegunSample {
  /** To be called after the feed was read. Undefined if nothing could be compared or chosen. */
  finish(): Promise<HonestyStanding | undefined>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The sample is chosen from the pages of at most this many newest changes of the log. */
const RECENT_CHANGES = 20_000;
const MAX_SHOWN = 5;

/** Undefined if no sample is due, or the source has no feed. A failure means nothing, and the next check tries again. */
export async function beginSample(source: WatchedSource, ports: VisitPorts): Promise<BegunSample | undefined> {
  const { honesty, now } = ports;
  const { config, health } = source;
  const isDue = health.honesty === undefined || now() - health.honesty.atMs >= DAY_MS || now() < health.honesty.atMs;
  if (honesty === undefined || honesty.pages === 0 || !isReadByFeed(source)) return undefined;
  if (!isDue || health.lastOkMs === undefined) return undefined;
  return await tolerating(ports, async () => {
    const place = { address: sourceAddress(source), source: config.id };
    const before = await loadSample(ports.store.followStateOf(config.id), place.address);
    const looks = await lookAtSample(before, ports);
    return { finish: () => tolerating(ports, () => finish({ before, looks, place, honesty }, ports)) };
  });
}

/** If a source is read by its pages, there is nothing to compare. */
function isReadByFeed({ config, health }: WatchedSource): boolean {
  return config.kind === 'feed' || (config.kind === 'auto' && health.ladder?.rung === 'feed');
}

interface Begun {
  readonly before: HonestySample | undefined;
  readonly looks: SampleLooks;
  readonly place: { readonly address: string; readonly source: string };
  readonly honesty: HonestySampling;
}

async function finish(
  { before, looks, place, honesty }: Begun,
  ports: VisitPorts,
): Promise<HonestyStanding | undefined> {
  const { log, pages: size, newSeed } = honesty;
  const last = (await log.lastChange())?.seq ?? 0;
  const since = Math.min(before?.seq ?? last, Math.max(0, last - RECENT_CHANGES));
  const told: Change[] = [];
  for await (const change of log.changes({ source: place.source, after: since })) told.push(change);
  const claims = told.filter(({ seq }) => seq > (before?.seq ?? 0));
  const verdicts = before === undefined ? [] : await compareSample(before, looks, { ...ports, claims });
  const urls = [...told.flatMap(toldPage), ...(before?.pages ?? []).map(({ url }) => url)];
  const seed = before?.seed ?? newSeed();
  const turn = (before?.turn ?? -1) + 1;
  const sample = await takeSample({ urls, size, looks, seq: last, seed, turn }, ports);
  if (sample.pages.length === 0 && verdicts.length === 0) return undefined;
  await saveSample(ports.store.followStateOf(place.source), sample, place);
  const counts = countVerdicts(verdicts, sample.pages.length);
  return { atMs: ports.now(), ...counts, pages: verdicts.filter(isFinding).slice(0, MAX_SHOWN) };
}

function toldPage({ kind, url, action }: Change): readonly string[] {
  return kind === 'page' && action !== 'delete' ? [url] : [];
}

function isFinding({ verdict }: PageVerdict): boolean {
  return verdict === 'told-not-seen' || verdict === 'seen-not-told' || verdict === 'both';
}

/** What a person should know about it. */
export function honestyNotes(standing: HonestyStanding | undefined): readonly string[] {
  if (standing === undefined || !hasFindings(standing)) return [];
  const { toldNotSeen, seenNotTold, compared } = standing;
  return [
    `honesty: of ${compared} pages ${toldNotSeen} told and not seen, ${seenNotTold} seen and not told; the view of the source names them.`,
  ];
}

/** The source is read even if the sample fails. */
async function tolerating<T>({ signal }: VisitPorts, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || (error instanceof TidingsError && !isOfTheStore(error))) return undefined;
    throw error;
  }
}
