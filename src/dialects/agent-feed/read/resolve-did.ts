import { createHash } from 'node:crypto';
import { decodeDidDocument } from '../../../codecs/agent-feed/did-document.ts';
import { DID_PATH, type DidDocument } from '../../../codecs/agent-feed/wire.ts';
import { fetchDocument, type Unfetched } from './fetch-document.ts';
import { CEILING_MS, freshForMs } from './poll-times.ts';
import type { DidMemory } from './reader-state.ts';
import { type Stopped, tellPause, type Visit } from './visit.ts';

const MAX_BODY_BYTES = 256 * 1024;

/** The keys that may sign for the origin, by the DID document that is held now. */
export interface Identity {
  readonly is: 'resolved';
  readonly document: DidDocument;
  readonly did: DidMemory;
  /** Differs if any key differs. */
  readonly keysHash: string;
}

/** agent-feed §15. The DID document is that of the origin that serves the feed. */
export async function resolveDid(visit: Visit): Promise<Identity | Stopped> {
  const { feedUrl, telling, policy = {} } = visit;
  const did = await currentDocument(visit);
  if ('is' in did) {
    const { reason, pausedUntilMs, isUnasked } = did;
    telling.tell({ event: 'did-unreachable', origin: feedUrl.origin, reason });
    tellPause(visit, pausedUntilMs);
    return { is: 'stopped', problem: `did-unreachable: ${reason}`, pausedUntilMs, isUnasked };
  }
  const decoded = decodeDidDocument(did.text, feedUrl.origin, policy);
  if (!decoded.ok) {
    const reason = decoded.issues[0].message;
    telling.tell({ event: 'did-malformed', origin: feedUrl.origin, reason });
    return { is: 'stopped', problem: `did-malformed: ${reason}` };
  }
  const document = decoded.value;
  if (!document.methods.some(({ publicKey }) => publicKey !== undefined)) {
    const reason = document.methods[0]?.problem ?? 'The DID document has no verification method that can be used.';
    telling.tell({ event: 'key-unresolvable', origin: feedUrl.origin, reason }, { isNews: true });
    return { is: 'stopped', problem: `key-unresolvable: ${reason}` };
  }
  return { is: 'resolved', document, did, keysHash: keysHashOf(document) };
}

/** The held document while it is fresh, and never longer (AF-R3). A poll by an operator requests it again. */
async function currentDocument(visit: Visit): Promise<DidMemory | Unfetched> {
  const { http, feedUrl, nowMs, memory, signal, isAsked = false } = visit;
  const held = memory.did;
  const isClockSteady = nowMs >= (memory.poll.lastMs ?? 0);
  if (held !== undefined && !isAsked && isClockSteady && nowMs < held.freshUntilMs) return held;
  const fetched = await fetchDocument({
    http,
    url: new URL(DID_PATH, feedUrl),
    accept: 'application/did+json, application/json;q=0.9, */*;q=0.1',
    maxBodyBytes: MAX_BODY_BYTES,
    nowMs,
    validators: held?.validators,
    signal,
  });
  if (fetched.is === 'unfetched') return fetched;
  const freshUntilMs = nowMs + Math.min(freshForMs(fetched.headers), CEILING_MS);
  if (fetched.is === 'unchanged') {
    return held === undefined ? { is: 'unfetched', reason: 'Nothing is held of it.' } : { ...held, freshUntilMs };
  }
  const { bytes, text = '', validators } = fetched;
  return { text, hash: createHash('sha256').update(bytes).digest('hex'), freshUntilMs, validators };
}

/** The order of the keys counts too: the first key is used for entries that name none. */
function keysHashOf({ methods }: DidDocument): string {
  const keys = methods.map(({ id, type, publicKey = [] }) => [id, type, ...publicKey]);
  return createHash('sha256').update(JSON.stringify(keys)).digest('hex');
}
