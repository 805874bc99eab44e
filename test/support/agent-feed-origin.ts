import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createReader, type ReaderPolicy } from '../../src/dialects/agent-feed/read/create-reader.ts';
import { MemoryReaderState } from '../../src/dialects/agent-feed/read/memory-reader-state.ts';
import type { Reader } from '../../src/dialects/agent-feed/read/reader.ts';
import type { ReaderState } from '../../src/dialects/agent-feed/read/reader-state.ts';
import type { HttpClient } from '../../src/fetch/http-client.ts';
import { createUndiciHttpClient } from '../../src/io/undici/http-client.ts';
import { createSigner, publicKeyOfSeed } from '../../src/surface/ed25519.ts';
import { createTestAuthority, type TestAuthority } from './test-ca.ts';
import { type AskedRequest, type SitePage, startTlsSite, type TlsSite } from './tls-site.ts';

export const DID = '/.well-known/did.json';
export const FEED = '/.well-known/agent-feed.xml';
export const CARD = '/.well-known/agent-card.json';
/** The time at which the tests take place. */
export const NOON = Date.parse('2026-04-27T12:00:00Z');

/** With an `etag` among its headers, a conditional request gets 304. */
export type Served = SitePage;

/** `https://<host>:<port>`, and what it publishes. */
export interface AgentFeedOrigin {
  readonly origin: string;
  readonly feedUrl: string;
  readonly did: string;
  /** The signer of entries that do not name another. */
  readonly signer: string;
  /** Without `keys`, did.json contains only `key-1`. */
  publish(feed: TestFeed): void;
  put(path: string, served: Served): void;
  /** As last published. */
  feedText(): string;
  didText(): string;
  /** The requested paths, in order. */
  asked(): string[];
  /** With an increasing id, and `/<endpointId>` as its path. */
  announcement(endpointId: string, payload?: Payload): TestEntry;
  schemaChange(endpointId: string, migration: unknown, payload?: Payload): TestEntry;
  deprecation(endpointId: string, payload?: Payload): TestEntry;
}

type Payload = Readonly<Record<string, unknown>>;

export interface TestFeed {
  readonly entries?: readonly TestEntry[];
  readonly status?: string;
  readonly specVersion?: string;
  readonly migratedTo?: string;
  /** XML at feed level. */
  readonly extra?: string;
  /** Names of test keys, in the order of did.json. */
  readonly keys?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly didHeaders?: Readonly<Record<string, string>>;
}

export interface TestEntry {
  readonly id: string;
  readonly type?: string;
  /** Signed as it is. An object is written with sorted keys. */
  readonly payload: unknown;
  readonly updated?: string;
  /** The name of the signing key. Default: `key-1`. */
  readonly key?: string;
  /** The text of `af:signer`. Default: that key. `null`: none. */
  readonly signer?: string | null;
  /** Instead of the true signature. */
  readonly signature?: string;
  readonly signatureType?: string;
  /** Instead of the content that is signed. */
  readonly content?: string;
  /** XML inside the entry. */
  readonly extra?: string;
}

/** Origins on one real HTTPS server with its own authority, and a clock that only moves when set. */
export interface AgentFeedLab {
  readonly authority: TestAuthority;
  readonly port: number;
  readonly http: HttpClient;
  readonly requests: AskedRequest[];
  readonly clock: { nowMs: number };
  /** Its card names what is announced. */
  origin(host: string): AgentFeedOrigin & { readonly url: string };
  /** A separate reader, with its own state unless one is given. */
  reader(parts?: { readonly state?: ReaderState; readonly policy?: ReaderPolicy; readonly http?: HttpClient }): Reader;
}

const HOSTS = ['api.example', '*.api.example', 'new.example', 'other.test', '*.other.test', 'localhost', '127.0.0.1'];

const authority = createTestAuthority();

export async function openAgentFeedLab({ hosts = HOSTS }: { hosts?: readonly string[] } = {}): Promise<AgentFeedLab> {
  const site = await startTlsSite(authority.issue(...hosts));
  const http = createUndiciHttpClient({
    allowPrivate: true,
    userAgent: 'test',
    ca: authority.cert,
    lookup: (_host, _options, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  onTestFinished(async () => {
    await http[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  const clock = { nowMs: NOON };

  return {
    authority,
    port: site.port,
    http,
    requests: site.asked,
    clock,
    origin(host) {
      const origin = agentFeedOrigin(site, host);
      return {
        ...origin,
        url: origin.origin,
        publish(feed) {
          origin.publish(feed);
          origin.put(CARD, { body: JSON.stringify(feed.entries?.map(({ payload }) => payload) ?? []) });
        },
      };
    },
    reader: ({ state = new MemoryReaderState(), ...parts } = {}) =>
      createReader({ http, state, now: () => clock.nowMs, ...parts }),
  };
}

/** What one host name of a web server publishes: an identity and, once there is one, a feed. */
export function agentFeedOrigin(site: TlsSite, host: string): AgentFeedOrigin {
  const origin = `https://${host}:${site.port}`;
  const did = `did:web:${host}%3A${site.port}`;
  const texts = { feed: '', did: didDocument(did) };
  let ids = 1745755200000;
  const nextId = () => `urn:af:${host}-${site.port}:${++ids}`;
  const put = (path: string, served: Served) => site.put(host, path, served);
  put(DID, { body: texts.did });
  return {
    origin,
    feedUrl: `${origin}${FEED}`,
    did,
    signer: `${did}#key-1`,
    put,
    publish(feed) {
      Object.assign(texts, { did: didDocument(did, feed.keys), feed: feedXml(did, feed) });
      put(DID, { headers: { 'content-type': 'application/json', ...feed.didHeaders }, body: texts.did });
      put(FEED, { headers: { 'content-type': 'application/atom+xml', ...feed.headers }, body: texts.feed });
    },
    feedText: () => texts.feed,
    didText: () => texts.did,
    asked: () => site.asked.filter((request) => request.host === host).map(({ path }) => path),
    announcement: (endpointId, payload) =>
      announcement(nextId(), { 'endpoint-id': endpointId, endpoint: `/${endpointId}`, ...payload }),
    schemaChange: (endpointId, migration, payload) =>
      schemaChange(nextId(), { 'endpoint-id': endpointId, migration, ...payload }),
    deprecation: (endpointId, payload) => deprecation(nextId(), { 'endpoint-id': endpointId, ...payload }),
  };
}

/** A live origin: new statements are added to earlier ones. */
export interface LiveOrigin extends AgentFeedOrigin, AsyncDisposable {
  readonly site: TlsSite;
  /** With a final slash. */
  readonly url: string;
  /** Appends entries, with ids that count from 1. */
  state(...entries: readonly TestEntry[]): void;
  /** Appends an entry signed with another key. */
  forge(entry: TestEntry): void;
  status(status: string, migratedTo?: string): void;
  /** The answer for the identity. Absent: the correct one. */
  identity(page?: Served): void;
  /** How often the feed was requested. */
  readonly polls: number;
}

/** On `https://localhost`, with its own web server. */
export async function startLiveOrigin(authority: TestAuthority): Promise<LiveOrigin> {
  const site = await startTlsSite(authority.issue('localhost'));
  const origin = agentFeedOrigin(site, 'localhost');
  const entries: TestEntry[] = [];
  let feed: TestFeed = { entries };
  let instead: Served | undefined;
  const serve = (next: TestFeed = feed) => {
    feed = next;
    origin.publish(feed);
    if (instead !== undefined) origin.put(DID, instead);
  };
  const add = (entry: TestEntry) => void entries.push({ ...entry, id: `urn:af:localhost:${entries.length + 1}` });
  serve();
  return {
    ...origin,
    site,
    url: `${origin.origin}/`,
    state(...more) {
      more.forEach(add);
      serve();
    },
    forge(entry) {
      add({ ...entry, key: 'key of somebody else', signer: origin.signer });
      serve();
    },
    status: (status, migratedTo) => serve({ entries, status, ...(migratedTo !== undefined && { migratedTo }) }),
    identity(page) {
      instead = page;
      serve();
    },
    get polls() {
      return origin.asked().filter((path) => path === FEED).length;
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** 32 bytes for tests only: anybody can derive them from the name. */
export function testSeed(name: string): Uint8Array {
  return createHash('sha256').update(`agent-feed test key, not a secret: ${name}`).digest();
}

const signingKeys = new Map<string, KeyObject>();

/** Made once, because that takes longer than signing. */
function signingKey(name: string): KeyObject {
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  const header = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([header, testSeed(name)]), format: 'der', type: 'pkcs8' });
  signingKeys.set(name, key);
  return key;
}

const signers = new Map<string, (bytes: Uint8Array) => Uint8Array>();

/** The signature of this key's holder. The signer is cached, because making it costs more than signing. */
export function signAs(name: string, bytes: Uint8Array): Uint8Array {
  const signer = signers.get(name) ?? createSigner(testSeed(name));
  signers.set(name, signer);
  return signer(bytes);
}

const publicKeyTexts = new Map<string, string>();

function publicKeyText(name: string): string {
  const known = publicKeyTexts.get(name);
  if (known !== undefined) return known;
  const text = `u${Buffer.from(publicKeyOfSeed(testSeed(name))).toString('base64url')}`;
  publicKeyTexts.set(name, text);
  return text;
}

export function didDocument(did: string, keys: readonly string[] = ['key-1']): string {
  return JSON.stringify({
    id: did,
    verificationMethod: keys.map((name) => ({
      id: `${did}#${name}`,
      type: 'Ed25519VerificationKey2020',
      controller: did,
      publicKeyMultibase: publicKeyText(name),
    })),
  });
}

/** Written by hand, like everything published here, so that it shares no mistake with the product's encoders. */
export function feedXml(did: string, { entries = [], extra = '', ...feed }: TestFeed): string {
  const { status = 'active', specVersion = '0', migratedTo } = feed;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:af="https://agent-feed.dev/ns/v0">',
    `<id>${did}</id><title>Test</title><updated>2026-04-27T12:00:00Z</updated>`,
    `<af:spec-version>${specVersion}</af:spec-version><af:feed-status>${status}</af:feed-status>`,
    migratedTo === undefined ? '' : `<af:migrated-to>${escaped(migratedTo)}</af:migrated-to>`,
    extra,
    ...entries.map((entry) => entryXml(did, entry)),
    '</feed>',
  ].join('\n');
}

function entryXml(did: string, entry: TestEntry): string {
  const { id, type = 'endpoint-announcement', payload, key = 'key-1', signer, extra = '' } = entry;
  const signed = typeof payload === 'string' ? payload : canonical(payload);
  const signature = sign(null, Buffer.from(signed), signingKey(key)).toString('base64url');
  return [
    `<entry><id>${escaped(id)}</id><updated>${entry.updated ?? '2026-04-27T12:00:00Z'}</updated><title>t</title>`,
    `<af:type>${type}</af:type><content type="application/json">${escaped(entry.content ?? signed)}</content>`,
    `<af:sig type="${entry.signatureType ?? 'ed25519'}">${entry.signature ?? signature}</af:sig>`,
    signer === null ? '' : `<af:signer>${signer ?? `${did}#${key}`}</af:signer>`,
    `${extra}</entry>`,
  ].join('');
}

export function announcement(id: string, payload: Payload = {}): TestEntry {
  return {
    id,
    payload: {
      'asserted-at': '2026-04-27T12:00:00Z',
      'endpoint-id': 'orders-api',
      endpoint: '/orders',
      protocol: 'rest',
      version: '1.0',
      ...payload,
    },
  };
}

export function schemaChange(id: string, payload: Payload = {}): TestEntry {
  return {
    id,
    type: 'schema-change',
    payload: {
      'effective-at': '2026-04-27T13:00:00Z',
      'endpoint-id': 'orders-api',
      'from-version': '1.0',
      migration: { add: ['/currency'] },
      'to-version': '1.1',
      ...payload,
    },
  };
}

export function deprecation(id: string, payload: Payload = {}): TestEntry {
  return {
    id,
    type: 'deprecation',
    payload: {
      'announced-at': '2026-04-27T14:00:00Z',
      'endpoint-id': 'orders-api',
      sunset: '2026-10-01T00:00:00Z',
      ...payload,
    },
  };
}

/** Enough for the payloads of tests, whose keys are ASCII. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
