import type { Attack } from '../support/agent-feed-attacks.ts';
import { FORGED, inEntry, insertLast, replaced } from './altered.ts';

/** Payloads that the publisher did sign, told otherwise than it told them. */
export const TOLD_OTHERWISE: readonly Attack[] = [
  again('an old payload under a fresh id, last', 'urn:entry:6'),
  again('an old payload under an id with a letter that looks the same', 'urn:еntry:1'),
  again('an old payload under its id with a blank inside', 'urn:entry: 1'),
  again('an old payload under its id with a zero-width space', 'urn:entry:1\u200b'),
  again('an old payload under its id in upper case', 'URN:ENTRY:1'),
  again('an old payload under the id of a member of all objects', '__proto__'),
  again('an old payload under the id of a later entry, last', 'urn:entry:5', 'replay-mismatch'),
  { name: 'the whole entry again, last', feed: (site) => insertLast(site, site.entryXml(0)) },
  { name: 'the whole feed twice', feed: (site) => site.feedOf([...site.entries, ...site.entries]) },
  {
    name: 'an old payload without an id',
    feed: (site) => insertLast(site, replaced(site.entryXml(0), /<id>.*?<\/id>/, '')),
    event: 'unverified-entry',
  },
  {
    name: 'an old payload with two ids',
    feed: (site) => insertLast(site, replaced(site.entryXml(0), '<id>', '<id>urn:new</id><id>')),
    event: 'unverified-entry',
  },
  retyped('an announcement as a deprecation', 0, 'deprecation'),
  retyped('an announcement as a schema-change', 0, 'schema-change'),
  retyped('a deprecation as an announcement', 3, 'endpoint-announcement'),
  retyped('a deprecation as a schema-change', 3, 'schema-change'),
  retyped('a schema-change as a deprecation', 1, 'deprecation'),
  retyped('a schema-change as an announcement', 1, 'endpoint-announcement'),
  retyped('a type in upper case', 3, 'DEPRECATION', 'unknown-entry-type'),
  retyped('a type of a later version', 0, 'endpoint-announcement-v1', 'unknown-entry-type'),
  retyped('a type named like a member of all objects', 0, 'constructor', 'unknown-entry-type'),
  retyped('no type', 0, '', 'unknown-entry-type'),
  {
    name: 'two types',
    feed: (site) => inEntry(site, 3, '<af:type>', '<af:type>endpoint-announcement</af:type><af:type>'),
    leaves: [0, 1, 2, 4],
    event: 'unverified-entry',
  },
  {
    name: 'the dates of entries turned round',
    feed: (site) => inEntry(site, 0, /<updated>.*?</, '<updated>2030-01-01T00:00:00Z<'),
  },
  { name: 'a date that is none', feed: (site) => inEntry(site, 4, /<updated>.*?</, '<updated>yesterday<') },
  { name: 'no title and no summary', feed: (site) => site.xml.replaceAll(/ *<(title|summary)>.*?<\/\1>\n/g, '') },
  { name: 'a summary that says something else', feed: (site) => inEntry(site, 4, 'A fact.', FORGED) },
  {
    name: 'another base for paths',
    feed: (site) => replaced(site.xml, '<feed ', '<feed xml:base="https://evil.example/" '),
  },
  {
    name: 'another base for one entry',
    feed: (site) => inEntry(site, 0, '<content', '<content xml:base="https://evil.example/"'),
  },
  { name: 'another link to itself, another id', feed: (site) => site.xml.replaceAll(site.url, 'https://evil.example') },
  { name: 'the order turned round', feed: (site) => site.feedOf(site.entries.toReversed()), leaves: [4, 3, 2, 1, 0] },
  {
    name: 'an entry taken away',
    feed: (site) => site.feedOf(site.entries.slice(1)),
    leaves: [1, 2, 3, 4],
    event: { known: 'entries-absent' },
  },
  { name: 'all entries taken away', feed: (site) => site.feedOf([]), leaves: [], event: { known: 'entries-absent' } },
];

/** The first payload once more, behind the one that replaced it. */
function again(name: string, id: string, event: Attack['event'] = 'repeated-payload'): Attack {
  return { name, feed: (site) => insertLast(site, replaced(site.entryXml(0), /<id>.*?</, `<id>${id}<`)), event };
}

function retyped(
  name: string,
  at: number,
  type: string,
  event: Attack['event'] = { fresh: 'malformed-payload' },
): Attack {
  const leaves = [0, 1, 2, 3, 4].filter((each) => each !== at);
  return { name, feed: (site) => inEntry(site, at, /<af:type>.*?</, `<af:type>${type}<`), leaves, event };
}
