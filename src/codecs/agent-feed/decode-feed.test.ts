import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { ATOM_NAMESPACE } from '../primitives/xml-names.ts';
import { decodeAgentFeed } from './decode-feed.ts';
import { AF_NAMESPACE } from './wire.ts';

const ENTRY = `<entry>
    <id>urn:af:api.example:1745755200000</id>
    <updated>2026-04-27T12:00:00Z</updated>
    <title>endpoint-announcement</title>
    <summary>For people.</summary>
    <af:type>endpoint-announcement</af:type>
    <content type="application/json">{"a":"b"}</content>
    <af:sig type="ed25519">c2ln</af:sig>
    <af:signer>did:web:api.example#key-1</af:signer>
  </entry>`;
const HEAD = `<id>https://api.example/.well-known/agent-feed.xml</id>
  <title>api.example</title>
  <updated>2026-04-27T14:00:00Z</updated>
  <author><name>api.example</name></author>
  <link rel="alternate" href="https://api.example/"/>
  <link rel="self" href="https://api.example/.well-known/agent-feed.xml"/>
  <af:spec-version>0</af:spec-version>
  <af:feed-status>active</af:feed-status>`;

function feedOf(inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="${ATOM_NAMESPACE}" xmlns:af="${AF_NAMESPACE}">
  ${inside}
</feed>
`;
}

function read(xml: string) {
  const result = decodeAgentFeed(xml);
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

/** The first entry of a feed with one whose inside is this. */
function entryOf(inside: string) {
  const [entry] = read(feedOf(`<entry>${inside}</entry>`)).entries;
  if (entry === undefined) throw new Error('There is no entry.');
  return entry;
}

test('reads a feed as it stands', () => {
  const feed = read(feedOf(`${HEAD}\n  ${ENTRY}\n  ${ENTRY}`));
  expect(feed).toMatchObject({
    id: 'https://api.example/.well-known/agent-feed.xml',
    title: 'api.example',
    updated: '2026-04-27T14:00:00Z',
    author: 'api.example',
    selfLink: 'https://api.example/.well-known/agent-feed.xml',
    specVersion: '0',
    feedStatus: 'active',
    contradictions: [],
    unknownElements: [],
  });
  expect(feed.migratedTo).toBeUndefined();
  expect(feed.entries).toHaveLength(2);
  expect(feed.entries[0]).toEqual({
    line: 11,
    id: 'urn:af:api.example:1745755200000',
    updated: '2026-04-27T12:00:00Z',
    title: 'endpoint-announcement',
    type: 'endpoint-announcement',
    content: '{"a":"b"}',
    contentType: 'application/json',
    signature: 'c2ln',
    signatureType: 'ed25519',
    signer: 'did:web:api.example#key-1',
    hasSummary: true,
    unknownElements: [],
  });
  expect(feed.entries[1]?.line).toBe(21);
});

test('an empty feed has nothing', () => {
  expect(read(`<feed xmlns="${ATOM_NAMESPACE}"/>`)).toEqual({ contradictions: [], unknownElements: [], entries: [] });
});

clause(['AF-NS1', 'AF-NS2'], 'knows both namespaces by their URI, under any prefix and as the default', () => {
  const expected = read(feedOf(`${HEAD}${ENTRY}`));
  const renamed = feedOf(`${HEAD}${ENTRY}`).replaceAll('af:', 'x:').replace('xmlns:af', 'xmlns:x');
  expect(renamed).not.toContain('af:type');
  expect(read(renamed.replaceAll('urn:x:', 'urn:af:'))).toEqual(expected);

  const swapped = feedOf(`${HEAD}${ENTRY}`)
    .replace(/xmlns="[^"]*" xmlns:af="[^"]*"/, `xmlns:atom="${ATOM_NAMESPACE}" xmlns="${AF_NAMESPACE}"`)
    .replace(/<(\/?)(?=[a-z])(?!af:)/g, '<$1atom:')
    .replaceAll('<af:', '<')
    .replaceAll('</af:', '</');
  expect(swapped).toContain('<atom:entry>');
  expect(swapped).toContain('<type>');
  expect(read(swapped)).toEqual(expected);

  const perElement = ENTRY.replace('<af:type>', `<type xmlns="${AF_NAMESPACE}">`).replace('</af:type>', '</type>');
  expect(read(feedOf(`${HEAD}${perElement}`))).toEqual(expected);
});

clause('AF-NS1', 'takes nothing from a prefix that is bound to something else', () => {
  const foreign = feedOf(`${HEAD}${ENTRY}`).replace(AF_NAMESPACE, 'https://agent-feed.dev/ns/v1');
  const feed = read(foreign);
  expect(feed.feedStatus).toBeUndefined();
  expect(feed.entries[0]).toMatchObject({ content: '{"a":"b"}' });
  expect(feed.entries[0]).not.toHaveProperty('type');
  expect(feed.entries[0]).not.toHaveProperty('signature');

  const rebound = entryOf('<x xmlns:af="urn:other"><af:type>x</af:type></x><af:type xmlns:af="urn:other">y</af:type>');
  expect(rebound).not.toHaveProperty('type');
  const trailing = read(feedOf(ENTRY).replaceAll(AF_NAMESPACE, `${AF_NAMESPACE}/`)).entries[0];
  expect(trailing).not.toHaveProperty('type');
  expect(entryOf('<content xmlns="urn:other">x</content>')).not.toHaveProperty('content');
  expect(entryOf('<af:content>x</af:content>')).not.toHaveProperty('content');
  expect(read(feedOf('<x:entry xmlns:x="urn:other"><id>1</id></x:entry>')).entries).toEqual([]);
});

clause('AF-V1', 'gathers the text of content exactly, whatever its spelling', () => {
  for (const [spelling, text] of [
    ['{"a":"é&amp;&lt;"}', '{"a":"é&<"}'],
    ['{&quot;a&quot;:&quot;é&amp;&lt;&quot;}', '{"a":"é&<"}'],
    ['<![CDATA[{"a":"é&<"}]]>', '{"a":"é&<"}'],
    ['{"a"<![CDATA[:"é&]]><![CDATA[<"]]>}', '{"a":"é&<"}'],
    ['&#123;&#x22;a&#34;:"&#233;&#38;&#x3c;"}', '{"a":"é&<"}'],
    ['{"a":"]]&gt;"}', '{"a":"]]>"}'],
    ['<![CDATA[{"a":"]]]]><![CDATA[>"}]]>', '{"a":"]]>"}'],
    [' \n\t{"a":"b"}\n ', ' \n\t{"a":"b"}\n '],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['a&#13;&#10;b', 'a\r\nb'],
    ['\u{1F600}&#x1F600;', '\u{1F600}\u{1F600}'],
    ['\uFEFFa', '\uFEFFa'],
    ['', ''],
  ]) {
    const entry = entryOf(`<content>${spelling}</content>`);
    expect(entry.content, spelling).toBe(text);
    expect(entry.flaw, spelling).toBeUndefined();
  }
  expect(entryOf('<content/>').content).toBe('');
  expect(entryOf('')).not.toHaveProperty('content');
});

test('a pair of surrogates and a line end may fall on the border of two pieces', () => {
  for (const pad of [65_400, 65_401, 65_402, 65_403]) {
    const text = `${'x'.repeat(pad)}${'\u{1F600}'.repeat(100)}${'\r\n'.repeat(50)}`;
    expect(entryOf(`<content>${text}</content>`).content).toBe(text.replaceAll('\r\n', '\n'));
  }
});

clause('AF-SG1', 'keeps the white space of a signature for its decoder, and drops that around other texts', () => {
  const entry = entryOf(
    '<af:sig>\n c2ln\n</af:sig><id> x </id><af:type>\ndeprecation\n</af:type><af:signer> #k </af:signer>',
  );
  expect(entry).toMatchObject({ signature: '\n c2ln\n', id: 'x', type: 'deprecation', signer: '#k' });
  expect(entryOf('<id>\u00a0x</id>').id).toBe('\u00a0x');
});

test('anything but text inside what decides flaws the entry, and that entry only', () => {
  for (const name of ['content', 'af:sig', 'af:type', 'af:signer', 'id']) {
    for (const [inside, what] of [
      ['a<!-- x -->b', 'a comment'],
      ['a<?x y?>b', 'a processing instruction'],
      ['a<b/>c', 'an element'],
      ['<x:y xmlns:x="urn:x">a</x:y>', 'an element'],
    ]) {
      const feed = read(feedOf(`<entry><${name}>${inside}</${name}></entry>${ENTRY}`));
      expect(feed.entries[0]?.flaw).toBe(`Its ${name} holds ${what}.`);
      expect(feed.entries[1]).not.toHaveProperty('flaw');
    }
  }
  expect(entryOf('<title>a<!-- x --><b/></title><!-- y --><?z?><updated>x<?y?></updated>')).not.toHaveProperty('flaw');
});

test('two of what decides flaw the entry, even if they say the same', () => {
  for (const name of ['content', 'af:sig', 'af:type', 'af:signer', 'id']) {
    const entry = entryOf(`<${name}>x</${name}><title/><${name}>x</${name}>`);
    expect(entry.flaw).toBe(`It has more than one ${name}.`);
  }
  expect(entryOf('<title>a</title><title>b</title>')).toMatchObject({ title: 'a' });
  expect(entryOf('<id/><id>x</id>').flaw).toBe('It has more than one id.');
});

test('only direct children of an entry count', () => {
  const entry = entryOf(`
    <source><id>nested</id><content>nested</content><af:type>deprecation</af:type><af:sig>x</af:sig></source>
    <x:wrap xmlns:x="urn:x"><content>nested</content><af:signer>nested</af:signer></x:wrap>
    <summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><af:type>nested</af:type></div></summary>
    <id>own</id>`);
  expect(entry).toEqual({ line: 3, id: 'own', hasSummary: true, unknownElements: [] });
});

test('only direct children of the feed count', () => {
  const feed = read(
    feedOf(`
      <x:wrap xmlns:x="urn:x"><af:feed-status>terminated</af:feed-status>${ENTRY}</x:wrap>
      <title>t<entry>x</entry></title>
      <author><x:name xmlns:x="urn:x">nested</x:name><email>e</email></author>
      <contributor><name>nested</name></contributor>
      <entry><af:feed-status>terminated</af:feed-status><af:spec-version>9</af:spec-version><entry><id>2</id></entry></entry>
      <af:feed-status>active</af:feed-status>`),
  );
  expect(feed).toMatchObject({ feedStatus: 'active', title: 't', contradictions: [] });
  expect(feed).not.toHaveProperty('specVersion');
  expect(feed).not.toHaveProperty('author');
  expect(feed.entries).toHaveLength(1);
  expect(feed.entries[0]).toMatchObject({ unknownElements: ['feed-status', 'spec-version'] });
  expect(feed.entries[0]).not.toHaveProperty('id');
});

clause('AF-N6', 'names the af elements that v0 does not know, and reads on', () => {
  const feed = read(
    feedOf(`<af:priority>9</af:priority><af:type/>${ENTRY.replace('<id>', '<af:priority>9</af:priority><id>')}`),
  );
  expect(feed.unknownElements).toEqual(['priority', 'type']);
  expect(feed.entries[0]).toMatchObject({ unknownElements: ['priority'], type: 'endpoint-announcement' });
  expect(feed.entries[0]).not.toHaveProperty('flaw');
});

test('names what contradicts itself at feed level', () => {
  for (const name of ['spec-version', 'feed-status', 'migrated-to']) {
    const twice = (first: string, second: string) =>
      read(feedOf(`<af:${name}>${first}</af:${name}>${ENTRY}<af:${name}>${second}</af:${name}>`)).contradictions;
    expect(twice('a', 'b')).toEqual([name]);
    expect(twice('a', ' a ')).toEqual([]);
    expect(twice('', 'a')).toEqual([name]);
    expect(read(feedOf(`<af:${name}>a<x>b</x></af:${name}>`)).contradictions).toEqual([name]);
  }
  expect(read(feedOf('<id>a</id><id>b</id><title>x</title>')).contradictions).toEqual(['id']);
});

clause('AF-EN8', 'a title decides nothing', () => {
  const entry = entryOf('<title>deprecation</title><af:type>endpoint-announcement</af:type>');
  expect(entry).toMatchObject({ title: 'deprecation', type: 'endpoint-announcement' });
});

clause('AF-W2', 'is an Atom feed and nothing else', () => {
  for (const [what, xml] of [
    ['another root', `<rss xmlns="${ATOM_NAMESPACE}"/>`],
    ['an entry', `<entry xmlns="${ATOM_NAMESPACE}"/>`],
    ['no namespace', '<feed/>'],
    ['another namespace', '<feed xmlns="http://purl.org/atom/ns#"/>'],
    ['the af namespace', `<feed xmlns="${AF_NAMESPACE}"/>`],
    ['nothing', ''],
    ['a page', '<!doctype html><html></html>'],
    ['JSON', '{}'],
  ] as const) {
    expect(decodeAgentFeed(xml), what).toMatchObject({ ok: false, issues: [{ clause: 'AF-W2' }] });
  }
});
