import { type Attack, EVIL, type HonestSite } from '../support/agent-feed-attacks.ts';
import { entryOf, inEntry, insertLast, replaced, whole } from './altered.ts';

const NEW_FACT = {
  'endpoint-id': 'orders-api',
  endpoint: '/evil',
  protocol: 'rest',
  version: '9',
  'asserted-at': '2026-04-28T12:00:00Z',
};

export const MARKUP: readonly Attack[] = [
  smuggled('an entry inside an entry', (evil) => `<entry>${evil}</entry>`, { into: 4 }),
  smuggled('an entry inside atom:source', (evil) => `<source>${evil}</source>`, { into: 4 }),
  smuggled('an entry inside a foreign element', (evil) => `<x xmlns="urn:x">${evil}</x>`),
  smuggled('a feed inside the feed', (evil) => `<feed>${evil}</feed>`),
  smuggled('an entry of no namespace', (evil) => replaced(evil, '<entry>', '<entry xmlns="">')),
  smuggled('an entry of another namespace', (evil) =>
    replaced(evil, '<entry>', '<entry xmlns="http://purl.org/atom/ns#">'),
  ),
  smuggled(
    'an entry with a prefix of another meaning',
    (evil) => replaced(evil, '<entry>', '<entry xmlns:af="urn:x">'),
    { event: 'unverified-entry' },
  ),
  smuggled('an entry in a comment', (evil) => `<!--${evil}-->`),
  smuggled('an entry in CDATA', (evil) => `<![CDATA[${evil}]]>`),
  smuggled('an entry in a processing instruction', (evil) => `<?x ${evil}?>`),
  whole('a DOCTYPE with an entity', (xml) => replaced(xml, '?>\n', `?>\n<!DOCTYPE feed [<!ENTITY e "${EVIL}">]>\n`)),
  whole('an external DTD', (xml) => replaced(xml, '?>\n', '?>\n<!DOCTYPE feed SYSTEM "https://evil.example/x.dtd">\n')),
  whole('entities in entities', (xml) =>
    replaced(xml, '?>\n', '?>\n<!DOCTYPE f [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>\n'),
  ),
  whole('an entity that nobody defines', (xml) => replaced(xml, 'Surface', '&evil;')),
  whole('the second half cut off', (xml) => xml.slice(0, xml.length / 2)),
  whole('the end cut off', (xml) => replaced(xml, '</feed>', '')),
  whole('something behind the end', (xml) => `${xml}<entry/>`),
  whole('a second feed behind the first', (xml) => xml + xml.slice(xml.indexOf('<feed'))),
  whole('100,000 elements in each other', (xml) => replaced(xml, '</feed>', `${'<x>'.repeat(100_000)}</feed>`)),
  whole('another root', (xml) => xml.replaceAll('feed', 'rss')),
  whole('another namespace', (xml) => xml.replaceAll('http://www.w3.org/2005/Atom', 'http://www.w3.org/2005/atom')),
  whole('the namespace of a later version', (xml) => xml.replaceAll('agent-feed.dev/ns/v0', 'agent-feed.dev/ns/v1')),
  whole('a NUL', (xml) => replaced(xml, 'Surface', 'Sur\0face')),
  {
    name: 'bytes that are no UTF-8',
    feed: ({ xml }) => Buffer.concat([Buffer.from(xml), Buffer.of(0xff)]),
    leaves: [],
    event: 'feed-malformed',
  },
  { name: 'UTF-16', feed: ({ xml }) => Buffer.from(`\uFEFF${xml}`, 'utf16le'), leaves: [], event: 'feed-malformed' },
  { name: 'a byte-order mark', feed: ({ xml }) => `\uFEFF${xml}` },
  { name: 'other prefixes', feed: ({ xml }) => xml.replaceAll('af:', 'zz:').replaceAll('xmlns:af', 'xmlns:zz') },
  {
    name: 'CDATA around the payload',
    feed: (site) => inEntry(site, 0, /(<content[^>]*>)(.*?)(<\/content>)/, '$1<![CDATA[$2]]>$3'),
  },
  {
    name: 'numbers for letters of the payload',
    feed: (site) => inEntry(site, 0, '"/orders"', '&#34;&#x2F;orders&quot;'),
  },
  {
    name: 'white space around what is not signed',
    feed: (site) => inEntry(site, 0, /<(id|af:type|af:signer)>(.*?)</g, '<$1>\n $2\t<'),
  },
  { name: 'white space in the signature', feed: (site) => inEntry(site, 0, /(<af:sig [^>]*>.{20})/, '$1\n  ') },
];

/** An entry with a true signature, in a place where none counts. */
function smuggled(
  name: string,
  wrap: (entry: string) => string,
  { into, event }: { readonly into?: number; readonly event?: Attack['event'] } = {},
): Attack {
  const feed = (site: HonestSite) => {
    const evil = wrap(entryOf(site, site.signed('urn:new', 'endpoint-announcement', NEW_FACT)));
    const safe = evil.startsWith('<!--') ? `<!--${evil.slice(4, -3).replaceAll('-', '')}-->` : evil;
    return into === undefined ? insertLast(site, safe) : inEntry(site, into, '</entry>', `${safe}</entry>`);
  };
  return { name, feed, ...(event !== undefined && { event }) };
}
