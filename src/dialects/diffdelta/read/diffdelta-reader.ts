import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { isNothing, orNothing, reasonOf } from '../../no-offer.ts';
import { factsOfFeed } from '../../offer-facts.ts';
import type { FeedOffer, FeedQuestion, FeedReader, ReaderPorts } from '../../reader.ts';
import type { Access } from './diffdelta-access.ts';
import {
  isDiffDeltaName,
  manifestCandidates,
  namedFeed,
  type Service,
  type ServiceQuestion,
  serviceAt,
  serviceOfManifest,
} from './diffdelta-service.ts';
import { readService } from './read-service.ts';

/** The reader of DiffDelta: a service with one or more feeds, which its manifest names. */
export const DIFFDELTA_READER: FeedReader = {
  noun: 'a DiffDelta feed',
  recognizes: isDiffDeltaName,
  entriesAt: (url) => [url.href, ...manifestCandidates(url)],
  discover: (question, ports) =>
    orNothing(async () => {
      const access = accessOf(question, ports);
      const service = await findService({ given: question.url, sources: question.sources }, access);
      return offerOf(service, question, access);
    }),
};

function accessOf({ url, apiKey }: FeedQuestion, ports: ReaderPorts): Access {
  return { ports, ...(apiKey !== undefined && { key: { value: apiKey, origin: url.origin } }) };
}

function offerOf(service: Service, { since = {} }: FeedQuestion, access: Access): FeedOffer {
  const read = () => readService(service, since, access);
  return {
    read,
    describe: () =>
      factsOfFeed(read(), {
        url: service.manifest?.entry ?? service.feeds[0]?.entry ?? '',
        noun: DIFFDELTA_READER.noun,
        named: ({ title, url, time }) => `item is ${JSON.stringify(title ?? url)} of ${time}`,
      }),
  };
}

async function findService(question: ServiceQuestion, access: Access): Promise<Service> {
  const { given } = question;
  const candidates = manifestCandidates(given);
  const named = namedFeed(given) ?? (await readNamed(question, candidates, access));
  if (named !== undefined) return named;
  const tried: string[] = [];
  for (const url of candidates) {
    try {
      const service = await serviceOfManifest(url, question, access);
      if (service !== undefined) return service;
      tried.push(`there is no manifest at ${url}`);
    } catch (error) {
      if (!isNothing(error)) throw error;
      tried.push(reasonOf(error));
    }
  }
  throw new FeedUnreadableError(given.href, `offers no DiffDelta: ${tried.join('; ')}.`, { status: 404 });
}

/** The URL itself, unless it is just a site: a feed may have any name. */
async function readNamed(
  question: ServiceQuestion,
  candidates: readonly string[],
  access: Access,
): Promise<Service | undefined> {
  const { given } = question;
  if (given.pathname === '/' || candidates.includes(given.href)) return undefined;
  const { remembered } = access.ports;
  for (const url of candidates) if ((await remembered.memoryOf(url)) !== undefined) return undefined;
  try {
    return await serviceAt(question, access);
  } catch (error) {
    if (error instanceof FeedUnreadableError && error.retryAfterMs === undefined) return undefined;
    throw error;
  }
}
