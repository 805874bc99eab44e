import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IS_LONG, shortOrLong } from '../../../test/support/short-or-long.ts';
import { decodeAtomFeed, decodeWebFeed } from './decode-feed.ts';
import { WEB_FEED_LIMITS } from './decoded-feed.ts';

const rss = (items: string, head = '') => `<rss version="2.0"><channel><title>T</title>${head}${items}</channel></rss>`;
const atom = (entries: string, head = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0">${head}${entries}</feed>`;

function decoded(text: string, url?: string) {
  const result = decodeWebFeed(text, url === undefined ? {} : { url });
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

const firstOf = (text: string, url?: string) => decoded(text, url).items[0];

test('archives and pages, by RFC 5005', () => {
  const head = `<fh:archive/><link rel="self" href="https://a.example/2.atom"/><link rel="current" href="/feed.atom"/>
<link rel="prev-archive" href="1.atom"/><link rel="next-archive" href="3.atom"/><link rel="next" href="?page=2"/>
<link rel="HUB" href="https://hub.example/"/><link rel="hub" href="https://hub.example/"/><link rel="hub" href="ftp://hub.example/"/>`;
  expect(decoded(atom('', head), 'https://a.example/2.atom')).toMatchObject({
    isArchive: true,
    isComplete: false,
    selfUrl: 'https://a.example/2.atom',
    currentUrl: 'https://a.example/feed.atom',
    prevArchiveUrl: 'https://a.example/1.atom',
    nextArchiveUrl: 'https://a.example/3.atom',
    nextUrl: 'https://a.example/2.atom?page=2',
    hubUrls: ['https://hub.example/'],
  });
  expect(decoded(atom('', '<fh:complete/>')).isComplete).toBe(true);
});

test('xml:base counts from that around it, then from where the feed is', () => {
  const entry = (inner: string) => atom(`<entry xml:base="b/"><id>i</id>${inner}</entry>`);
  expect(firstOf(entry('<link href="c"/>'), 'https://a.example/feed')?.url).toBe('https://a.example/b/c');
  expect(firstOf(entry('<link xml:base="/x/" href="c"/>'), 'https://a.example/feed')?.url).toBe(
    'https://a.example/x/c',
  );
  expect(firstOf(entry('<link xml:base="javascript:x" href="c"/>'), 'https://a.example/f')?.url).toBe(
    'https://a.example/b/c',
  );
  expect(firstOf(entry('<link href="c"/>'))?.url).toBeUndefined();
});

test.each([
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['mailto:a@b.example', undefined],
  ['', undefined],
  [' https://a.example/x y ', 'https://a.example/x%20y'],
  ['//a.example/é', 'https://a.example/%C3%A9'],
  ['https://user:secret@a.example/', 'https://a.example/'],
])('of the link "%s" becomes %s', (href, url) => {
  expect(firstOf(rss(`<item><title>x</title><link>${href}</link></item>`), 'https://b.example/')?.url).toBe(url);
  expect(firstOf(atom(`<entry><id>i</id><link href="${href}"/></entry>`), 'https://b.example/')?.url).toBe(url);
});

test('the page of an entry is its alternate that is HTML', () => {
  const links = `<link rel="enclosure" href="http://a.example/mp3"/><link rel="alternate" type="application/json" href="http://a.example/json"/>
<link rel="http://www.iana.org/assignments/relation/alternate" type="text/html" href="http://a.example/html"/>`;
  expect(firstOf(atom(`<entry><id>i</id>${links}</entry>`))?.url).toBe('http://a.example/html');
  expect(firstOf(atom('<entry><id>i</id><content src="http://a.example/src" type="video/mp4"/></entry>'))?.url).toBe(
    'http://a.example/src',
  );
});

test('ids: the guid, else the URL, else one that follows from the rest', () => {
  const item = (inner: string) => firstOf(rss(`<item>${inner}</item>`));
  expect(item('<guid> g </guid><link>http://a.example/</link>')).toMatchObject({ id: 'g', isIdMade: false });
  expect(item('<link>http://a.example/</link><title>x</title>')).toMatchObject({
    id: 'http://a.example/',
    isIdMade: true,
  });
  const made = item('<title>x</title><description>one</description>');
  expect(made).toMatchObject({ id: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8/), isIdMade: true });
  expect(item('<title>x</title><description>two</description>')?.id).toBe(made?.id);
  expect(item('<title>y</title>')?.id).not.toBe(made?.id);
  expect(item('<description>one</description>')?.id).not.toBe(item('<description>two</description>')?.id);
  expect(item(`<guid>${'x'.repeat(3000)}</guid>`)?.id).toMatch(/^urn:uuid:/);
});

test('a guid is a link where it does not deny it', () => {
  const guid = (attributes: string) => firstOf(rss(`<item><guid${attributes}>http://a.example/g</guid></item>`))?.url;
  expect(guid('')).toBe('http://a.example/g');
  expect(guid(' isPermaLink="true"')).toBe('http://a.example/g');
  expect(guid(' isPermaLink="False"')).toBeUndefined();
});

test('what stands in an element of others is not taken for the item’s own', () => {
  const item = firstOf(
    rss(`<item><media:content xmlns:media="http://search.yahoo.com/mrss/"><title>no</title></media:content><guid>g</guid>
<source url="http://no.example/"><title>no</title></source><x:title xmlns:x="urn:x">no</x:title></item>`),
  );
  expect(item).toEqual({ id: 'g', isIdMade: false, categories: [] });
  const entry = atom('<entry><source><id>no</id><title>no</title></source><id>i</id><title>yes</title></entry>');
  expect(firstOf(entry)).toMatchObject({ id: 'i', title: 'yes' });
});

test('xhtml is read as its text, in its order', () => {
  const content = `<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One <b>two</b>,</p><script>no</script>
<ul><li>three</li><li>four &amp; <i>f</i>ive</li></ul></div></content>`;
  expect(firstOf(atom(`<entry><id>i</id>${content}</entry>`))?.content).toBe('One two, three four & five');
});

test.each<[string, string, string | undefined]>([
  ['type="text"', 'a &lt;b&gt; c', 'a <b> c'],
  ['', 'a &lt;b&gt; c', 'a <b> c'],
  ['type="html"', 'a &lt;b&gt;c&lt;/b&gt; &amp;amp; d', 'a c & d'],
  ['type="text/html"', '<![CDATA[a<br>b]]>', 'a b'],
  ['type="application/pdf"', 'JVBERi0=', undefined],
  ['type="text/markdown"', '# a', '# a'],
])('content %s of %s', (attributes, inner, text) => {
  expect(firstOf(atom(`<entry><id>i</id><content ${attributes}>${inner}</content></entry>`))?.content).toBe(text);
});

test.each<[string, string]>([
  ['blanks and a byte order mark before it', `\ufeff\n\n <?xml version="1.0"?>${rss('<item><title>x</title></item>')}`],
  ['a declaration that is wrong', `<?xml encoding="utf-8" version="2.0"?>${rss('<item><title>x</title></item>')}`],
  ['prefixes that nobody declares', rss('<item><title>x</title><itunes:title>no</itunes:title></item>')],
  ['control characters', rss('<item><title>\u0008x\u0000</title></item>')],
  ['half a character', rss('<item><title>x</title><description>\ud83d</description></item>')],
  ['comments with dashes', rss('<!-- a -- b --><item><title>x</title></item>')],
  ['an attribute twice', rss('<item a="1" a="2"><title>x</title></item>')],
  ['what follows the root', `${rss('<item><title>x</title></item>')}\n<!-- 0.2 s -->\n<script>1 < 2</script>`],
  ['other letters in names', rss('<Item><TITLE>x</TITLE></Item>')],
  [
    'Atom as the namespace of RSS',
    rss('<item><title>x</title></item>').replace('<rss', '<rss xmlns="http://www.w3.org/2005/Atom"'),
  ],
  [
    'https and no slash in a namespace',
    atom('<entry><id>i</id><title>x</title></entry>').replace(
      'http://www.w3.org/2005/Atom',
      'https://www.w3.org/2005/Atom/',
    ),
  ],
  ['no namespace at all', '<feed><entry><id>i</id><title>x</title></entry></feed>'],
  [
    'a prefix for all of Atom',
    '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:id>i</a:id><a:title>x</a:title></a:entry></a:feed>',
  ],
  ['items outside of the channel', '<rss><channel><title>T</title></channel><item><title>x</title></item></rss>'],
])('%s does not matter', (_, text) => {
  expect(decoded(text).items).toMatchObject([{ title: 'x' }]);
});

test('an undeclared atom:link is one, and said', () => {
  const feed = decoded(
    rss('', '<atom:link rel="self" href="https://a.example/f"/><atom:link rel="hub" href="https://h.example/"/>'),
  );
  expect(feed).toMatchObject({ selfUrl: 'https://a.example/f', hubUrls: ['https://h.example/'] });
  expect(feed.problems).toEqual(['The prefix "atom" is not declared.']);
});

test('bare ampersands, and names that XML does not know', () => {
  const item = firstOf(
    rss(
      '<item><link>http://a.example/?a=1&b=2&copy=3</link><title>R&D &nbsp;&euro; &unknown; &#x1F600; &#0;</title></item>',
    ),
  );
  expect(item).toMatchObject({ url: 'http://a.example/?a=1&b=2&copy=3', title: 'R&D € &unknown; 😀 \ufffd' });
});

test.each<[string, string, RegExp]>([
  ['nothing', '', /neither XML nor JSON/],
  ['text', 'Not found', /neither XML nor JSON/],
  ['HTML', '<!DOCTYPE html>\n<html><head><title>x</title></head></html>', /^Line 2: it is an HTML page/],
  ['another root', '<?xml version="1.0"?><urlset/>', /its root is "urlset"/],
  ['a feed of another kind', '<feed xmlns="urn:x"/>', /its root is "feed"/],
  ['an entry alone', '<entry xmlns="http://www.w3.org/2005/Atom"/>', /its root is "entry"/],
  ['a text that breaks off', '<rss><channel>\n<item><title>x', /^Line 2: .*"title" does not end/],
  ['a tag that breaks off', '<rss><channel><item><tit', /not well-formed/],
  ['tags that do not match', `<rss>\n<channel><b></c></channel></rss>`, /^Line 2: .*closing tag/],
  ['a wrong end of the root', '<rss></x>', /closing tag/],
  ['an attribute without quotes', '<rss version=2.0></rss>', /the tag "rss"/],
  ['a "<" that begins nothing', rss('<item><title>a < b</title></item>'), /begins nothing/],
  ['entities', `<!DOCTYPE rss [<!ENTITY a "aaa">]>${rss('<item><title>&a;</title></item>')}`, /DOCTYPE/],
  ['an external entity', `<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>${rss('')}`, /DOCTYPE/],
  ['a DOCTYPE that hides its bracket', `<!DOCTYPE rss SYSTEM "a>" [<!ENTITY a "b">]>${rss('')}`, /DOCTYPE/],
  ['a DOCTYPE within', rss('<!DOCTYPE rss>'), /does not belong/],
  ['depth', rss('<a>'.repeat(100)), /nested deeper/],
  ['attributes', `<rss ${Array.from({ length: 65 }, (_, at) => `a${at}=""`).join(' ')}/>`, /attributes/],
  ['characters', rss(' '.repeat(WEB_FEED_LIMITS.maxCharacters)), /characters/],
  ['JSON of others', '{"items":[]}', /"version"/],
  ['a list', '[]', /"version"/],
  ['JSON that breaks off', '{"version":', /not JSON/],
  ['a JSON Feed without items', '{"version":"https://jsonfeed.org/version/1"}', /without "items"/],
  ['very long JSON', `{${' '.repeat(WEB_FEED_LIMITS.maxCharacters)}}`, /characters/],
])('%s is refused', (_, text, message) => {
  expect(decodeWebFeed(text)).toMatchObject({
    ok: false,
    issues: [{ clause: 'FEED-FORM', message: expect.stringMatching(message) }],
  });
});

test.runIf(IS_LONG)('more elements than there may be are refused', () => {
  expect(decodeWebFeed(rss('<a/>'.repeat(WEB_FEED_LIMITS.maxElements)))).toMatchObject({
    ok: false,
    issues: [{ clause: 'FEED-FORM', message: expect.stringContaining('more than 500000 elements') }],
  });
});

test('decodeAtomFeed reads Atom alone', () => {
  expect(decodeAtomFeed(atom(''))).toMatchObject({ ok: true, value: { format: 'atom', items: [] } });
  expect(decodeAtomFeed(rss(''))).toMatchObject({
    ok: false,
    issues: [{ message: expect.stringMatching(/not an Atom feed/) }],
  });
  expect(decodeAtomFeed('{}')).toMatchObject({ ok: false });
});

test('of too many items the first are read, and it is said', () => {
  const feed = decoded(rss('<item><guid>g</guid></item>'.repeat(WEB_FEED_LIMITS.maxItems + 1)));
  expect(feed.items).toHaveLength(WEB_FEED_LIMITS.maxItems);
  expect(feed.problems).toEqual([`It has more than ${WEB_FEED_LIMITS.maxItems} items; the rest is not read.`]);
  expect(decoded(rss('<item><guid>g</guid></item>'.repeat(WEB_FEED_LIMITS.maxItems))).problems).toEqual([]);
});

test('an item that says nothing is left out, and said', () => {
  const feed = decoded(rss('<item></item><item><title> </title></item><item><title>x</title></item>'));
  expect(feed.items).toHaveLength(1);
  expect(feed.problems).toEqual(['Item 1 says nothing.', 'Item 2 says nothing.']);
});

test('an element of very many elements is cut, the rest of the feed is not', () => {
  const feed = decoded(rss(`<item><title>a</title>${'<x/>'.repeat(20_001)}</item><item><title>b</title></item>`));
  expect(feed.items.map(({ title }) => title)).toEqual(['a', 'b']);
  expect(feed.problems).toHaveLength(1);
});

test('nothing makes it throw', () => {
  const piece = fc.constantFrom(
    ...[
      '<rss>',
      '</rss>',
      '<channel>',
      '</channel>',
      '<item>',
      '</item>',
      '<title>',
      '</title>',
      '<link/>',
      '<guid>',
      '</guid>',
    ],
    ...[
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      '</feed>',
      '<entry>',
      '</entry>',
      '<a:b c="d">',
      '</a:b>',
      '<![CDATA[',
      ']]>',
    ],
    ...[
      '<!--',
      '-->',
      '<?x',
      '?>',
      '<!DOCTYPE',
      '<',
      '>',
      '&',
      '&#',
      ';',
      '"',
      "'",
      '=',
      ' ',
      '\ud800',
      '\0',
      'a',
      '{',
      '}',
      '[',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom('', '<rss><channel><item>'), (pieces, start) => {
      expect(typeof decodeWebFeed(start + pieces.join(''), { url: pieces[0] ?? '' }).ok).toBe('boolean');
    }),
    { numRuns: shortOrLong(200, 2000) },
  );
});

test('no JSON makes it throw', () => {
  const members = fc.record(
    {
      id: fc.jsonValue(),
      url: fc.jsonValue(),
      title: fc.jsonValue(),
      content_html: fc.jsonValue(),
      authors: fc.jsonValue(),
      tags: fc.jsonValue(),
      date_published: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const feed = fc.record({
    version: fc.constant('https://jsonfeed.org/version/1.1'),
    items: fc.array(fc.oneof(members, fc.jsonValue())),
    hubs: fc.jsonValue(),
    title: fc.jsonValue(),
  });
  fc.assert(fc.property(feed, (value) => void expect(decodeWebFeed(JSON.stringify(value)).ok).toBe(true)));
});
