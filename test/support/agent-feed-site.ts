import { canonicalJson } from '../../src/codecs/primitives/canonical-json.ts';
import { publicKeyOfSeed } from '../../src/surface/ed25519.ts';
import { signAs, testSeed } from './agent-feed-origin.ts';

type Fields = Record<string, unknown>;

/** One entry of a draft feed. Undefined parts are left out of the document. */
export interface DraftEntry {
  id: string | undefined;
  updated: string | undefined;
  title: string | undefined;
  type: string | undefined;
  payload: Fields;
  /** The signed text. Default: the canonical JSON of the payload. */
  signed?: string;
  /** The content in the document instead of the signed text, as XML. */
  contentXml?: string;
  contentType: string | undefined;
  key: string;
  signature?: (signature: string) => string | undefined;
  signatureType: string | undefined;
  signer: string | undefined;
  /** XML after everything else. */
  extra: string;
}

/** A draft of a published surface. It is correct until a test changes it. */
export interface DraftSite {
  origin: string;
  did: { id: unknown; verificationMethod: unknown } & Fields;
  card: unknown;
  feed: {
    namespace: string;
    id: string | undefined;
    title: string | undefined;
    updated: string | undefined;
    author: string | undefined;
    selfLink: string | undefined;
    specVersion: string | undefined;
    status: string | undefined;
    /** XML at feed level. */
    extra: string;
  };
  entries: [DraftEntry, DraftEntry, DraftEntry, DraftEntry, ...DraftEntry[]];
}

const keys = new Map<string, Uint8Array>();

/** Made once, because making a key takes longer than using it. */
export function testKey(name: string): Uint8Array {
  const key = keys.get(name) ?? publicKeyOfSeed(testSeed(name));
  keys.set(name, key);
  return key;
}

/** Two announcements, a change of the first, and its deprecation in favour of the second. */
export function draftSite(origin = 'https://api.example'): DraftSite {
  const host = new URL(origin).host;
  const did = `did:web:${host.replace(':', '%3A')}`;
  const entry = (number: number, type: string, payload: Fields): DraftEntry => ({
    id: `urn:af:${host.replace(':', '%3A')}:174575520000${number}`,
    updated: `2026-04-2${number}T12:00:00Z`,
    title: type,
    type,
    payload,
    contentType: 'application/json',
    key: 'key-1',
    signatureType: 'ed25519',
    signer: `${did}#key-1`,
    extra: '',
  });
  return {
    origin,
    did: { '@context': ['https://www.w3.org/ns/did/v1'], id: did, verificationMethod: [testMethod(did, 'key-1')] },
    card: { name: host, skills: [{ url: `${origin}/orders` }, { url: `${origin}/mcp` }] },
    feed: {
      namespace: 'https://agent-feed.dev/ns/v0',
      id: `${origin}/.well-known/agent-feed.xml`,
      title: 'Surface',
      updated: '2026-04-24T12:00:00Z',
      author: 'Test',
      selfLink: `${origin}/.well-known/agent-feed.xml`,
      specVersion: '0',
      status: 'active',
      extra: '',
    },
    entries: [
      entry(1, 'endpoint-announcement', {
        'endpoint-id': 'orders-api',
        endpoint: `${origin}/orders`,
        protocol: 'rest',
        version: '1.0',
        'asserted-at': '2026-04-21T12:00:00Z',
      }),
      entry(2, 'endpoint-announcement', {
        'endpoint-id': 'tools',
        endpoint: '/mcp',
        protocol: 'mcp',
        version: '2026-01',
        'asserted-at': '2026-04-22T12:00:00Z',
      }),
      entry(3, 'schema-change', {
        'endpoint-id': 'orders-api',
        'from-version': '1.0',
        'to-version': '1.1',
        'effective-at': '2026-04-23T12:00:00Z',
        migration: {
          add: ['/currency'],
          rename: { '/amount': '/total' },
          retype: { '/price': { from: 'string', to: 'nullable<number>' } },
        },
      }),
      entry(4, 'deprecation', {
        'endpoint-id': 'orders-api',
        'announced-at': '2026-04-24T12:00:00Z',
        sunset: '2099-01-01T00:00:00Z',
        replacement: 'tools',
        reason: 'Überholt <jetzt> & "später"',
      }),
    ],
  };
}

export function testMethod(did: string, name: string): Fields {
  return {
    id: `${did}#${name}`,
    type: 'Ed25519VerificationKey2020',
    controller: did,
    publicKeyMultibase: `u${Buffer.from(testKey(name)).toString('base64url')}`,
  };
}

/** By their path below the root. */
export function filesOf(site: DraftSite): Map<string, string | Uint8Array> {
  return new Map([
    ['.well-known/did.json', JSON.stringify(site.did)],
    ['.well-known/agent-feed.xml', feedText(site)],
    ['.well-known/agent-card.json', JSON.stringify(site.card)],
  ]);
}

function feedText({ feed, entries }: DraftSite): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:af="${feed.namespace}">
${element('id', feed.id)}${element('title', feed.title)}${element('updated', feed.updated)}
${feed.author === undefined ? '' : `<author>${element('name', feed.author)}</author>`}
${feed.selfLink === undefined ? '' : `<link rel="self" href="${escaped(feed.selfLink)}"/>`}
${element('af:spec-version', feed.specVersion)}${element('af:feed-status', feed.status)}${feed.extra}
${entries.map(entryText).join('\n')}
</feed>
`;
}

function entryText(entry: DraftEntry): string {
  const signed = entry.signed ?? canonicalJson(entry.payload);
  const right = Buffer.from(signAs(entry.key, Buffer.from(signed))).toString('base64url');
  const signature = entry.signature === undefined ? right : entry.signature(right);
  const typed = (type: string | undefined) => (type === undefined ? '' : ` type="${type}"`);
  return `<entry>
${element('id', entry.id)}${element('updated', entry.updated)}${element('title', entry.title)}${element('af:type', entry.type)}
<content${typed(entry.contentType)}>${entry.contentXml ?? escaped(signed)}</content>
${signature === undefined ? '' : `<af:sig${typed(entry.signatureType)}>${signature}</af:sig>`}
${element('af:signer', entry.signer)}${entry.extra}</entry>`;
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}
