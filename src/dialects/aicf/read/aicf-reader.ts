import { sourceIdOf } from '../../../model/source.ts';
import { asAsked } from '../../as-asked.ts';
import { hearHubs } from '../../heard-hubs.ts';
import { orNothing } from '../../no-offer.ts';
import { factsOfFeed } from '../../offer-facts.ts';
import type { Batch, FeedOffer, FeedQuestion, FeedReader, ReaderPorts, ReadingEnd, Since } from '../../reader.ts';
import { readAicf } from './aicf.ts';
import type { AicfMemory } from './aicf-memory.ts';
import { discoveryCandidates, type Entry, FEED_FILE, findEntry } from './discover.ts';

/** The reader of AI Changefeeds: the discovery document of a site leads to the feed. */
export const AICF_READER: FeedReader = {
  noun: 'an AI Changefeed',
  recognizes: ({ pathname }) => FEED_FILE.test(pathname),
  entriesAt: (url) => [...discoveryCandidates(url), url.href],
  discover: (question, ports) => orNothing(async () => offerOf(await findEntry(question.url, ports), question, ports)),
};

function offerOf(entry: Entry, { since = {} }: FeedQuestion, ports: ReaderPorts): FeedOffer {
  const feed = { entry: entry.url, id: sourceIdOf(new URL(entry.url)) };
  const read = () => asAsked(feed, readEntry(entry, since, ports));
  return {
    read,
    describe: () =>
      factsOfFeed(read(), {
        url: entry.url,
        noun: AICF_READER.noun,
        named: ({ id, time }) => `event is ${id} of ${time}`,
      }),
  };
}

async function* readEntry(entry: Entry, wished: Since, ports: ReaderPorts): AsyncGenerator<Batch, ReadingEnd> {
  const { known, kept } = entry;
  const { ttl_seconds: ttlSeconds, self } = entry.discovery;
  const ear = hearHubs(ports.http, new URL(self).href);
  const since = known?.lastId === undefined && known?.feed === undefined ? wished : {};
  let memory: AicfMemory = known ?? {};
  /** An id that the user named is kept until an event has another. */
  let lastId = known?.lastId ?? since.id;
  let freshMs: number | undefined;
  for await (const piece of readAicf(entry, { lastId, timeMs: since.timeMs }, { ...ports, http: ear.http })) {
    lastId = piece.lastId ?? lastId;
    freshMs = piece.freshMs;
    const before = memory;
    memory = {
      ...(kept !== undefined && { discovery: kept }),
      ...(lastId !== undefined && { lastId }),
      ...(piece.feed !== undefined && { feed: piece.feed }),
    };
    if (piece.changes.length === 0 && JSON.stringify(memory) === JSON.stringify(before)) continue;
    const isBlank = lastId === undefined;
    yield { entry: entry.url, id: sourceIdOf(new URL(entry.url)), changes: piece.changes, memory, isBlank };
  }
  return { freshMs: ttlSeconds === undefined ? freshMs : ttlSeconds * 1000, hubs: ear.hubs };
}
