import { SafetyStopError } from '../../errors/safety-stop-error.ts';
import type { LadderStep } from '../../follow/ladder.ts';
import { fallen } from '../../follow/ladder.ts';
import { ToldSite } from '../../follow/told-site.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import type { AutoConfig } from '../config/source-config.ts';
import { type AutoVisit, insteadOfFeed, isOfSource, keep, siteOf, turn, type WithFeed } from './auto-visit.ts';
import { FallReading } from './fall-reading.ts';
import { type SourceReading, wordsFor } from './source-reading.ts';
import { readerOf } from './visit-feed.ts';
import { visitSite } from './visit-site.ts';

/** At most this many pages that could not be read are remembered; if they are found later, they are not new. */
const MAX_UNREAD = 1000;

/** The result of looking at the feed: a reading if the feed is only stuck. */
export type FeedLook = { readonly reading: SourceReading } | { readonly error: unknown };

/**
 * From now on the pages replace the feed: edits that the feed has not reported are reported, the rest is taken as it is. If the pages cannot be read either,
 * nothing changes. The same holds if the feed only seems stuck and its pages show nothing new.
 */
export async function fall(
  visit: AutoVisit,
  state: WithFeed,
  { step, look }: { readonly step: Extract<LadderStep, { readonly do: 'fall' }>; readonly look: FeedLook },
): Promise<SourceReading> {
  const { config, source, ports } = visit;
  const { reason, isStuck, isGone } = step;
  const atMs = ports.now();
  const fromMs = (isStuck ? source.health.lastChangeMs : undefined) ?? state.lastGoodMs;
  const retell = new FallReading({
    source: config.id,
    told: await toldBy(visit),
    state: ports.store.followStateOf(config.id),
    fromMs,
    ...(isGone && !source.allowDeletes && { onOther: (urls) => stopForNewOwner(config, urls) }),
  });
  let unread: readonly string[] = [];
  const onCompared = ({ failures }: SiteComparison) => {
    unread = failures.map(({ file }) => file).slice(0, MAX_UNREAD);
  };
  try {
    const reading = await visitSite(siteOf(config), source, ports, { isAnew: true, retell, onCompared });
    if ('reading' in look && retell.isStill) {
      keep(visit, { ...state, failures: 0, calmMs: atMs });
      return look.reading;
    }
    const { reader } = await readerOf(state.dialect, ports.dialects);
    const down = {
      ...fallen(state, { reason, isStuck, fromMs, atMs, readMs: ports.now() }),
      unread,
      ...(reader.isSnapshot && !retell.isSure && { isUnsure: true as const }),
    };
    await turn(visit, down);
    return insteadOfFeed(reading, down);
  } catch (error) {
    if (!isOfSource(error, visit) || error.recovery === 'stop') throw error;
    if ('reading' in look) return look.reading;
    throw look.error;
  }
}

/** Throws a {@link SafetyStopError}. */
function stopForNewOwner({ id, url }: AutoConfig, pages: readonly string[]): never {
  const what = `${url} seems to be somebody else's: its feed is gone, and no page of it says anything of what it said.`;
  const remedy = `Nothing was told. Look at it in a browser; if it is still the site that you mean: ${wordsFor(id).allowDeletes}`;
  throw new SafetyStopError(`${what} ${remedy}`, pages);
}

async function toldBy({ config, ports }: AutoVisit): Promise<ToldSite> {
  const told = new ToldSite();
  for await (const change of ports.store.changes({ source: config.id })) told.add(change);
  return told;
}
