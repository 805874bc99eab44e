import { formatTime } from '../../../codecs/primitives/time.ts';
import { WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';
import { sourceUnreadError } from '../../../errors/source-trouble.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { asAsked } from '../../as-asked.ts';
import { warn } from '../../diagnostic.ts';
import type { FeedOffer, FeedQuestion, FeedReader, NoOffer, OfferFacts, ReaderPorts } from '../../reader.ts';
import { type HarvestRequest, harvestSource, listedAt } from './harvest-source.ts';
import type { CollectionReading } from './harvested.ts';
import { noteReading, readCollections } from './read-collections.ts';

/** A permanent answer that there is nothing, or something else. */
const ABSENT = /^(?!HTTP-(?:408|425|429|5\d\d))/;

/** The reader of ResourceSync: the changes in the Change Lists of a site's collections. */
export const RESOURCESYNC_READER: FeedReader = {
  noun: 'ResourceSync',
  // Its lists are long, a collection is handed on as a whole, and the next visit is a day away.
  limits: { idleMs: 5 * 60_000, totalMs: 10 * 60_000 },
  recognizes: ({ pathname }) => pathname.endsWith(WELL_KNOWN_PATH),
  entriesAt: ({ href }) => [href],
  discover,
};

async function discover(question: FeedQuestion, ports: ReaderPorts): Promise<FeedOffer | NoOffer> {
  const { url, isNamed } = question;
  const isSure = isNamed || (await ports.remembered.memoryOf(url.href)) !== undefined;
  const nothing = isSure ? undefined : await whyNothing(url, ports);
  return nothing === undefined ? offerOf(question, ports) : { nothing };
}

/** Why a site has no ResourceSync; undefined if it names a collection. Throws temporary failures. */
async function whyNothing(url: URL, ports: ReaderPorts): Promise<TidingsError | undefined> {
  const { listed, failures } = await listedAt(requestOf(url), ports);
  const [failure] = failures;
  if (listed.length > 0) return undefined;
  const isLasting = failure === undefined || (failure.error instanceof HarvestError && ABSENT.test(failure.error.code));
  if (failure !== undefined && !isLasting) throw failure.error;
  const why = failure?.error.message.split(' Nothing of its')[0] ?? 'it names no collection.';
  return new FeedUnreadableError(url.href, `offers no ResourceSync: ${why}`, { status: 404 });
}

function offerOf({ url, since = {} }: FeedQuestion, ports: ReaderPorts): FeedOffer {
  const feed = { entry: url.href, id: sourceIdOf(url) };
  return {
    read: () => asAsked(feed, readCollections(requestOf(url), { ...feed, since }, ports)),
    describe: () => describe(url, ports),
  };
}

async function describe(url: URL, ports: ReaderPorts): Promise<OfferFacts> {
  const found: CollectionReading[] = [];
  const failures: TidingsError[] = [];
  const seenAmong = async () => new Set<string>();
  for await (const reading of harvestSource(requestOf(url), { ...ports, known: undefined, seenAmong })) {
    if (reading.is === 'read') found.push(reading);
    else failures.push(reading.error);
  }
  const [first] = failures;
  if (found.length === 0) throw first ?? sourceUnreadError(url.href, 'No collection was found.');
  for (const { message } of failures) warn(ports, 'note', message);
  for (const { known, changes } of found) {
    const newest = changes.at(-1);
    const when = newest === undefined ? '' : `, the newest of ${formatTime(newest.datetimeMs)}`;
    warn(ports, 'note', `${known.describes}: ${count(changes.length, 'change')}${when}`);
  }
  for (const reading of found) noteReading(reading, ports);
  const times = found.flatMap(({ changes }) => changes.at(-1)?.datetimeMs ?? []);
  return {
    url: url.href,
    words: `ResourceSync with ${count(found.length, 'collection')}`,
    ...(times.length > 0 && { newestMs: Math.max(...times) }),
  };
}

/** The request for the address of a site, or of a Source Description that is not at the well-known path. */
function requestOf(url: URL): HarvestRequest {
  return /\.xml(?:\.gz)?$/i.test(url.pathname) ? { url: new URL('/', url), description: url } : { url };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
