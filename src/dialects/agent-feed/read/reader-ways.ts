import { CARD_PATH } from '../../../codecs/agent-feed/wire.ts';
import type { HttpClient, HttpResponse } from '../../../fetch/http-client.ts';
import type { ReaderState } from './reader-state.ts';

const known = new WeakMap<ReaderState, ReaderState>();

/**
 * The same state for a reader that tells at every reading of a feed all that is wrong with it, not once a day: how a source
 * stands is about now. What is in the log of the hub already is not said again there. One per state, as readers of one state
 * take turns.
 */
export function talkative(state: ReaderState): ReaderState {
  const made = known.get(state) ?? {
    async find(feedUrl) {
      const memory = await state.find(feedUrl);
      return memory === undefined ? undefined : { ...memory, told: {} };
    },
    seenAmong: (feedUrl, ids) => state.seenAmong(feedUrl, ids),
    payloadsAmong: (feedUrl, hashes) => state.payloadsAmong(feedUrl, hashes),
    factsOf: (feedUrl, afterSeq, limit) => state.factsOf(feedUrl, afterSeq, limit),
    commit: (commit) => state.commit(commit),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
  known.set(state, made);
  return made;
}

/**
 * The same way out, but the agent card is not there for whoever goes it. Nothing of the card is used, and a host that asks for a
 * pause on it would be left alone whole, its feed too.
 */
export function withoutCard(http: HttpClient): HttpClient {
  return {
    get: async (request) => (request.url.pathname === CARD_PATH ? nothingAt(request.url) : await http.get(request)),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

const NOTHING: HttpResponse['body'] = { [Symbol.asyncIterator]: async function* () {} };

function nothingAt(url: URL): HttpResponse {
  return { url, status: 404, headers: {}, body: NOTHING, async discard() {} };
}
