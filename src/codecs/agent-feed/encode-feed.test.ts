import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeAgentFeed } from './decode-feed.ts';
import { encodeAgentFeed, type FeedDocument } from './encode-feed.ts';
import type { DecodedAgentFeed } from './wire.ts';

const CONTENT = '{"reason":"a \\"b\\" <c> & ]]> \u{1F600}\u0085\u2028"}';
const FEED: FeedDocument = {
  url: 'https://api.example/.well-known/agent-feed.xml',
  title: 'api.example agent-feed',
  author: 'api.example',
  updated: '2026-04-27T12:00:00Z',
  status: 'active',
  entries: [
    {
      id: 'urn:af:api.example:1745755200000',
      updated: '2026-04-27T12:00:00Z',
      type: 'deprecation',
      content: CONTENT,
      signature: 'A'.repeat(86),
      signer: 'did:web:api.example#key-1',
      summary: 'x < y & z',
    },
  ],
};

function decode(xml: string): DecodedAgentFeed {
  const decoded = decodeAgentFeed(xml);
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  return decoded.value;
}

clause('AF-NS3', 'an entry reads back as what it was made of, without other elements of the namespace', () => {
  const { entries, unknownElements } = decode(encodeAgentFeed(FEED));
  expect(unknownElements).toEqual([]);
  const { line, ...entry } = entries[0] ?? { line: 0 };
  expect(entry).toEqual({
    id: 'urn:af:api.example:1745755200000',
    updated: '2026-04-27T12:00:00Z',
    title: 'deprecation',
    type: 'deprecation',
    content: CONTENT,
    contentType: 'application/json',
    signature: 'A'.repeat(86),
    signatureType: 'ed25519',
    signer: 'did:web:api.example#key-1',
    hasSummary: true,
    unknownElements: [],
  });
});

clause(['AF-W2', 'AF-VS1', 'AF-FS1'], 'a feed reads back as what it was made of', () => {
  expect(decode(encodeAgentFeed(FEED))).toMatchObject({
    id: FEED.url,
    selfLink: FEED.url,
    title: FEED.title,
    updated: FEED.updated,
    author: FEED.author,
    specVersion: '0',
    feedStatus: 'active',
    contradictions: [],
    unknownElements: [],
  });
});

clause('AF-FS5', 'a migrated feed names where it went, with its ampersands', () => {
  const to = 'https://new.example/feed?a=1&b=2';
  expect(decode(encodeAgentFeed({ ...FEED, status: 'migrated', migratedTo: to }))).toMatchObject({
    feedStatus: 'migrated',
    migratedTo: to,
  });
});

clause('AF-ST2', 'the envelope may be written in other ways around the same signed text', () => {
  const xml = encodeAgentFeed(FEED);
  const escaped = /<content type="application\/json">(.*)<\/content>/s.exec(xml)?.[1] ?? '';
  const cdata = `<![CDATA[${CONTENT.replace(']]>', ']]]]><![CDATA[>')}]]>`;
  const others = [
    xml.replaceAll('af:', 'x:').replace('xmlns:af', 'xmlns:x'),
    xml.replaceAll(/>\n\s*</g, '><'),
    xml.replaceAll('\n', '\r\n\t'),
    xml.replace(escaped, cdata),
    xml.replace(escaped, escaped.replaceAll('"', '&quot;')),
  ];
  for (const other of others) {
    expect(other).not.toBe(xml);
    expect(decode(other).entries[0]?.content).toBe(CONTENT);
  }
});

test('quotes in the signed text stay as they are', () => {
  expect(encodeAgentFeed(FEED)).toContain('>{"reason":"a \\"b\\" &lt;c&gt; &amp; ]]&gt; ');
});
