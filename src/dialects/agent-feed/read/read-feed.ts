import { createHash } from 'node:crypto';
import { decodeAgentFeed } from '../../../codecs/agent-feed/decode-feed.ts';
import type { DecodedAgentFeed } from '../../../codecs/agent-feed/wire.ts';
import type { HttpHeaders } from '../../../fetch/http-client.ts';
import { type Fetched, fetchDocument } from './fetch-document.ts';
import type { DocumentMemory } from './reader-state.ts';
import type { Identity } from './resolve-did.ts';
import { type Stopped, tellPause, type Visit } from './visit.ts';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

export type FeedReading =
  /** The same bytes with the same keys: everything they can tell is known. */
  { readonly is: 'unchanged'; readonly headers: HttpHeaders } | ReadFeed;

export interface ReadFeed {
  readonly is: 'read';
  readonly feed: DecodedAgentFeed;
  readonly document: DocumentMemory;
  readonly headers: HttpHeaders;
}

export async function readFeed(visit: Visit, { keysHash }: Identity): Promise<FeedReading | Stopped> {
  const { memory, feedUrl, telling } = visit;
  const held = memory.feed;
  // The body is not kept, so with other keys the whole feed is requested again (AF-R6).
  const isHeld = held !== undefined && held.keysHash === keysHash;
  const fetched = await fetchFeed(visit, isHeld ? held : undefined);
  if (fetched.is === 'unfetched') {
    const { reason, pausedUntilMs } = fetched;
    telling.tell({ event: 'feed-unreachable', origin: feedUrl.origin, reason });
    tellPause(visit, pausedUntilMs);
    return { is: 'stopped', problem: `feed-unreachable: ${reason}`, pausedUntilMs };
  }
  const { headers } = fetched;
  if (fetched.is === 'unchanged') return { is: 'unchanged', headers };

  const hash = createHash('sha256').update(fetched.bytes).digest('hex');
  if (isHeld && held.hash === hash) return { is: 'unchanged', headers };
  const decoded = fetched.text === undefined ? undefined : decodeAgentFeed(fetched.text);
  if (decoded?.ok) {
    const feed = decoded.value;
    const document = { hash, keysHash, validators: fetched.validators, entries: feed.entries.length };
    return { is: 'read', feed, document, headers };
  }
  return malformed(visit, decoded?.issues[0].message ?? 'It is not UTF-8.');
}

export function malformed({ telling, feedUrl }: Visit, reason: string): Stopped {
  telling.tell({ event: 'feed-malformed', origin: feedUrl.origin, reason });
  return { is: 'stopped', problem: `feed-malformed: ${reason}` };
}

function fetchFeed({ http, feedUrl, nowMs, signal }: Visit, held: DocumentMemory | undefined): Promise<Fetched> {
  return fetchDocument({
    http,
    url: feedUrl,
    accept: 'application/atom+xml, application/xml;q=0.9, */*;q=0.1',
    maxBodyBytes: MAX_BODY_BYTES,
    nowMs,
    validators: held?.validators,
    signal,
  });
}
