import { createReader } from '../../src/dialects/agent-feed/read/create-reader.ts';
import type { ReaderState } from '../../src/dialects/agent-feed/read/reader-state.ts';
import type { HttpClient } from '../../src/fetch/http-client.ts';
import { readBytes } from '../../src/fetch/read-text.ts';
import { signBytes } from '../../src/surface/ed25519.ts';
import type { MakeReader } from './agent-feed-attacks.ts';
import { DID, testSeed } from './agent-feed-origin.ts';

/** Readers that each lack one defence. What the defence would have stopped is corrected on the way in, so that the real reader behind it cannot see it. */
export const PLANTED: Readonly<Record<string, MakeReader>> = {
  'verifies no signature': onWayIn((xml) => edited(xml, resigned)),
  'takes loose Base64': onWayIn((xml) =>
    xml.replace(
      /(<af:sig [^>]*>)([^<]*)/g,
      (_, open, text) => open + Buffer.from(text, 'base64').toString('base64url'),
    ),
  ),
  'trims the signed text': onWayIn((xml) => xml.replace(/(<content[^>]*>)\s*([^<]*?)\s*(<\/content>)/g, '$1$2$3')),
  'passes over comments': onWayIn((xml) => xml.replace(/<!--.*?-->/gs, '')),
  'guesses the type': onWayIn((xml) => edited(xml, typedByPayload)),
  'sorts by date': onWayIn((xml) => {
    const entries = xml.match(/<entry>.*?<\/entry>/gs) ?? [];
    const dated = entries.toSorted((left, right) => dateOf(left).localeCompare(dateOf(right)));
    return xml.replace(/<entry>.*<\/entry>/s, () => dated.join(''));
  }),
  'takes every status for active': onWayIn((xml) => xml.replace(/(<af:feed-status>)\w*</g, '$1active<')),
  'takes every version for its own': onWayIn((xml) => xml.replace(/(<af:spec-version>)\d*</g, '$10<')),
  'takes the DID document of anybody': onWayIn((_, json, host) =>
    json.replace(/^\{"id":"[^"]*"/, `{"id":"did:web:${encodeURIComponent(host)}"`),
  ),
  'finds entries wherever they stand': onWayIn((xml) => {
    const inner = xml.match(/<entry>(?:(?!<entry>).)*?<\/entry>/gs) ?? [];
    return xml.includes('<entry>') ? xml.replace(/ *<entry>.*<\/feed>/s, () => `${inner.join('')}</feed>`) : xml;
  }),
  'forgets which payloads it had': ({ http, clock }, state) =>
    createReader({ http, state: forgetful(state, 'payloadsAmong'), now: () => clock.nowMs }),
  'forgets which entries it had': ({ http, clock }, state) =>
    createReader({ http, state: forgetful(forgetful(state, 'payloadsAmong'), 'seenAmong'), now: () => clock.nowMs }),
};

/** `edit` gets the feed as XML, or the DID document as JSON and its expected host. */
function onWayIn(edit: (xml: string, json: string, host: string) => string): MakeReader {
  return ({ http, clock }, state) => {
    const altered: HttpClient = {
      async get(request) {
        const response = await http.get(request);
        const { pathname, host } = request.url;
        if (response.status !== 200 || !/feed\.xml$|did\.json$/.test(pathname)) return response;
        const text = Buffer.from(await readBytes(response, { maxBytes: request.maxBodyBytes ?? 0 })).toString();
        const isDid = pathname === DID;
        const result = isDid ? edit('', text, host) || text : edit(text, '', host) || text;
        return { ...response, body: piecesOf(Buffer.from(result)), async discard() {} };
      },
      async [Symbol.asyncDispose]() {},
    };
    return createReader({ http: altered, state, now: () => clock.nowMs });
  };
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function edited(xml: string, edit: (entry: string) => string): string {
  return xml.replace(/<entry>.*?<\/entry>/gs, edit);
}

/** With a valid signature of whatever it says. */
function resigned(entry: string): string {
  const content = /<content[^>]*>([^<]*)<\/content>/.exec(entry)?.[1] ?? '';
  const said = content.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const signature = Buffer.from(signBytes(testSeed('key-1'), Buffer.from(said))).toString('base64url');
  return entry
    .replace(/(<af:sig [^>]*>)[^<]*/, (_, open) => open + signature)
    .replace(/(<af:signer>)[^<]*/, (_, open) => `${open}#key-1`);
}

function typedByPayload(entry: string): string {
  const type = entry.includes('"sunset"')
    ? 'deprecation'
    : entry.includes('"to-version"')
      ? 'schema-change'
      : 'endpoint-announcement';
  return entry.replace(/<af:type>[^<]*/, `<af:type>${type}`);
}

function dateOf(entry: string): string {
  return /<updated>([^<]*)/.exec(entry)?.[1] ?? '';
}

function forgetful(state: ReaderState, what: 'seenAmong' | 'payloadsAmong'): ReaderState {
  return {
    find: (feedUrl) => state.find(feedUrl),
    seenAmong: async (feedUrl, ids) => (what === 'seenAmong' ? new Map() : await state.seenAmong(feedUrl, ids)),
    payloadsAmong: async (feedUrl, hashes) =>
      what === 'payloadsAmong' ? new Map() : await state.payloadsAmong(feedUrl, hashes),
    factsOf: (feedUrl, afterSeq, limit) => state.factsOf(feedUrl, afterSeq, limit),
    commit: (commit) => state.commit(commit),
    async [Symbol.asyncDispose]() {},
  };
}
