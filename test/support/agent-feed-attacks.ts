import { isDeepStrictEqual } from 'node:util';
import { decodePayload } from '../../src/codecs/agent-feed/decode-payload.ts';
import { encodeAgentFeed, type FeedEntry } from '../../src/codecs/agent-feed/encode-feed.ts';
import { ENTRY_TYPES, type Fact } from '../../src/codecs/agent-feed/wire.ts';
import { canonicalJson } from '../../src/codecs/primitives/canonical-json.ts';
import { createReader } from '../../src/dialects/agent-feed/read/create-reader.ts';
import { MemoryReaderState } from '../../src/dialects/agent-feed/read/memory-reader-state.ts';
import type { Reader } from '../../src/dialects/agent-feed/read/reader.ts';
import type { ReaderEventName } from '../../src/dialects/agent-feed/read/reader-event.ts';
import type { ReaderState } from '../../src/dialects/agent-feed/read/reader-state.ts';
import type { EndpointRecord } from '../../src/surface/endpoint-record.ts';
import { createSurfaceTable } from '../../src/surface/surface-table.ts';
import { type AgentFeedLab, DID, didDocument, FEED, type Served, signAs } from './agent-feed-origin.ts';

/** The publisher's statements in order. The last one moves what the first one announced. */
const PAYLOADS: readonly (readonly [type: string, payload: Readonly<Record<string, unknown>>])[] = [
  ['endpoint-announcement', announced('orders-api', '/orders', 'rest', '1.0')],
  [
    'schema-change',
    {
      'endpoint-id': 'orders-api',
      'from-version': '1.0',
      'to-version': '1.1',
      'effective-at': '2026-04-27T13:00:00Z',
      migration: { add: ['/currency'] },
    },
  ],
  ['endpoint-announcement', announced('search-api', '/mcp', 'mcp', '1')],
  [
    'deprecation',
    { 'endpoint-id': 'search-api', 'announced-at': '2026-04-27T14:00:00Z', sunset: '2026-10-01T00:00:00Z' },
  ],
  ['endpoint-announcement', announced('orders-api', '/v2/orders', 'rest', '2.0')],
];

/** In every payload that the publisher never signed. No event may contain it. */
export const EVIL = 'evil-payload';

/** An honest origin, whose documents an attacker may alter before they are served. */
export interface HonestSite {
  readonly url: string;
  readonly did: string;
  readonly xml: string;
  readonly identity: string;
  readonly entries: readonly FeedEntry[];
  /** As in the feed. */
  entryXml(at: number): string;
  /** An entry that the publisher really signed, whether it serves it or not. */
  signed(id: string, type: string, payload: unknown, key?: string): FeedEntry;
  feedOf(entries: readonly FeedEntry[]): string;
  put(path: string, served: Served): void;
}

export interface Attack {
  readonly name: string;
  /** The feed that is served instead. */
  readonly feed?: (site: HonestSite) => string | Uint8Array;
  /** The DID document that is served instead. */
  readonly identity?: (site: HonestSite) => string;
  /** Further changes to the answers. */
  readonly serve?: (site: HonestSite) => void;
  /** Which of the publisher's facts a reader learns that never saw the true feed, in order. Default: all. */
  readonly leaves?: readonly number[];
  /** The reported event. `known`: if the reader saw the true feed before. */
  readonly event?: ReaderEventName | { readonly fresh?: ReaderEventName; readonly known?: ReaderEventName };
  /** The attack can stop a feed, because the status is not signed: the feed is not used any more. */
  readonly silences?: 'for good' | 'for now';
}

export type MakeReader = (lab: AgentFeedLab, state: ReaderState) => Reader;

const honestReader: MakeReader = ({ http, clock }, state) => createReader({ http, state, now: () => clock.nowMs });

/** Runs an attack against a reader that never saw the true feed, and against one that did. Describes each forbidden effect. */
export async function effectsOf(
  lab: AgentFeedLab,
  attack: Partial<Attack>,
  makeReader: MakeReader = honestReader,
): Promise<string[]> {
  const problems: string[] = [];
  for (const mode of ['fresh', 'known'] as const) {
    const site = honestSite(lab);
    mount(site, {});
    const state = new MemoryReaderState();
    const reader = makeReader(lab, state);
    const all = PAYLOADS.map((_, at) => at);
    if (mode === 'known') await reader.ingest(site.url);
    mount(site, attack);
    lab.clock.nowMs += 3600_000;
    const report = await reader.ingest(site.url);

    const expected = mode === 'known' ? all : (attack.leaves ?? all);
    const complain = (what: string, is: unknown, shouldBe: unknown) => {
      if (isDeepStrictEqual(is, shouldBe)) return;
      problems.push(
        `${mode}: ${what} is ${JSON.stringify(is)?.slice(0, 300)}, not ${JSON.stringify(shouldBe).slice(0, 300)}`,
      );
    };
    const table = tableOf(site, expected);
    complain('trust', report.trust, attack.silences !== 'for good');
    complain('what is answered', report.endpoints, attack.silences === undefined ? table : []);
    complain('the table', (await state.find(report.feedUrl))?.endpoints, table);
    complain('what was applied', await factsOf(state, report.feedUrl), expected.map(factAt));
    const event = typeof attack.event === 'object' ? attack.event[mode] : attack.event;
    const told = report.events.map((each) => each.event);
    if (event !== undefined && !told.includes(event)) problems.push(`${mode}: ${event} is not told, but ${told}`);
    if (JSON.stringify(report.events).includes(EVIL)) problems.push(`${mode}: an event carries what is not signed`);

    // The attacker leaves: a reader that was not stopped for good ends with each of the publisher's statements once.
    mount(site, {});
    lab.clock.nowMs += 3600_000;
    const after = await reader.ingest(site.url);
    complain('trust afterwards', after.trust, attack.silences !== 'for good');
    const learned = await factsOf(state, report.feedUrl);
    const wanted = attack.silences === 'for good' ? expected : all;
    complain('what was applied in the end', learned.toSorted(), wanted.map(factAt).toSorted());
    await reader[Symbol.asyncDispose]();
  }
  return problems;
}

function honestSite(lab: AgentFeedLab): HonestSite {
  const { url, did, put } = lab.origin('api.example');
  const signed: HonestSite['signed'] = (id, type, payload, key = 'key-1') => {
    const content = typeof payload === 'string' ? payload : canonicalJson(payload);
    const signature = Buffer.from(signAs(key, Buffer.from(content))).toString('base64url');
    const updated = '2026-04-27T12:00:00Z';
    return { id, updated, type, content, signature, signer: `${did}#${key}`, summary: 'A fact.' };
  };
  const entries = PAYLOADS.map(([type, payload], at) => signed(`urn:entry:${at + 1}`, type, payload));
  const feedOf: HonestSite['feedOf'] = (list) =>
    encodeAgentFeed({
      url: `${url}${FEED}`,
      title: 'Surface',
      author: 'Publisher',
      updated: '2026-04-27T12:00:00Z',
      status: 'active',
      entries: list,
    });
  const xml = feedOf(entries);
  const parts = [...xml.matchAll(/ {2}<entry>.*?<\/entry>\n/gs)].map(([part]) => part);
  const entryXml = (at: number) => parts[at] ?? '';
  return { url, did, xml, identity: didDocument(did), entries, entryXml, signed, feedOf, put };
}

function mount(site: HonestSite, { feed, identity, serve }: Partial<Attack>): void {
  site.put(DID, { body: identity?.(site) ?? site.identity });
  site.put(FEED, { body: feed?.(site) ?? site.xml });
  serve?.(site);
}

function tableOf({ url }: HonestSite, facts: readonly number[]): readonly EndpointRecord[] {
  const table = createSurfaceTable(new URL(url));
  for (const at of facts) {
    const fact = decoded(at);
    table.apply(fact);
  }
  return table.records();
}

async function factsOf(state: ReaderState, feedUrl: string): Promise<string[]> {
  return (await state.factsOf(feedUrl, 0, 1000)).map(({ fact }) => canonicalJson(fact));
}

function factAt(at: number): string {
  return canonicalJson(decoded(at));
}

function decoded(at: number): Fact {
  const [name = '', payload] = PAYLOADS[at] ?? [];
  const type = ENTRY_TYPES.find((each) => each === name);
  const result = type && decodePayload(type, canonicalJson(payload));
  if (!result?.ok) throw new Error(`There is no fact ${at}.`);
  return result.value;
}

function announced(id: string, endpoint: string, protocol: string, version: string) {
  return { 'endpoint-id': id, endpoint, protocol, version, 'asserted-at': '2026-04-27T12:00:00Z' };
}
