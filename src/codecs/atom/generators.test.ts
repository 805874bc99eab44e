import { expect, test } from 'vitest';
import { decodeWebFeed } from './decode-feed.ts';

function decoded(text: string, url?: string) {
  const result = decodeWebFeed(text, url === undefined ? {} : { url });
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

test('WordPress', () => {
  const feed = decoded(`<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:wfw="http://wellformedweb.org/CommentAPI/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:atom="http://www.w3.org/2005/Atom"
	xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
	xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
	>

<channel>
	<title>A Blog</title>
	<atom:link href="https://blog.example/feed/" rel="self" type="application/rss+xml" />
	<link>https://blog.example</link>
	<description>Just another site</description>
	<lastBuildDate>Tue, 03 Mar 2026 09:15:42 +0000</lastBuildDate>
	<language>en-US</language>
	<sy:updatePeriod>hourly</sy:updatePeriod>
	<generator>https://wordpress.org/?v=6.7.1</generator>
<image>
	<url>https://blog.example/icon.png</url>
	<title>Not the title</title>
	<link>https://blog.example/not</link>
</image>
	<item>
		<title>It&#8217;s here &#038; new</title>
		<link>https://blog.example/2026/03/new/</link>
		<comments>https://blog.example/2026/03/new/#respond</comments>
		<dc:creator><![CDATA[Ann]]></dc:creator>
		<pubDate>Tue, 03 Mar 2026 09:15:42 +0000</pubDate>
		<category><![CDATA[News]]></category>
		<category><![CDATA[R&D]]></category>
		<guid isPermaLink="false">https://blog.example/?p=42</guid>
		<description><![CDATA[<p>We have &hellip; <a href="x">Continue</a></p>
]]></description>
		<content:encoded><![CDATA[<p>We have it.</p><script>evil()</script><p>Now.</p>]]></content:encoded>
		<wfw:commentRss>https://blog.example/2026/03/new/feed/</wfw:commentRss>
		<slash:comments>3</slash:comments>
	</item>
</channel>
</rss>`);
  expect(feed).toEqual({
    format: 'rss',
    title: 'A Blog',
    url: 'https://blog.example/',
    updatedMs: Date.UTC(2026, 2, 3, 9, 15, 42),
    selfUrl: 'https://blog.example/feed/',
    hubUrls: [],
    isArchive: false,
    isComplete: false,
    problems: [],
    items: [
      {
        id: 'https://blog.example/?p=42',
        isIdMade: false,
        url: 'https://blog.example/2026/03/new/',
        title: 'It’s here & new',
        publishedMs: Date.UTC(2026, 2, 3, 9, 15, 42),
        summary: 'We have … Continue',
        content: 'We have it. Now.',
        author: 'Ann',
        categories: ['News', 'R&D'],
      },
    ],
  });
});

test('Hugo: the zero date of a section is none', () => {
  const feed = decoded(`<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>Docs on Example</title>
    <link>https://docs.example/docs/</link>
    <generator>Hugo</generator>
    <lastBuildDate>Mon, 01 Jan 0001 00:00:00 +0000</lastBuildDate>
    <atom:link href="https://docs.example/docs/index.xml" rel="self" type="application/rss+xml" />
    <item>
      <title>Install</title>
      <link>https://docs.example/docs/install/</link>
      <pubDate>Mon, 01 Jan 0001 00:00:00 +0000</pubDate>
      <guid>https://docs.example/docs/install/</guid>
      <description>&lt;p&gt;Run &lt;code&gt;make&lt;/code&gt;.&lt;/p&gt;</description>
    </item>
  </channel>
</rss>`);
  expect(feed.updatedMs).toBeUndefined();
  expect(feed.items).toEqual([
    {
      id: 'https://docs.example/docs/install/',
      isIdMade: false,
      url: 'https://docs.example/docs/install/',
      title: 'Install',
      summary: 'Run make.',
      categories: [],
    },
  ]);
});

test('Jekyll', () => {
  const feed = decoded(
    `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom" ><generator uri="https://jekyllrb.com/" version="4.3.3">Jekyll</generator><link href="https://site.example/feed.xml" rel="self" type="application/atom+xml" /><link href="https://site.example/" rel="alternate" type="text/html" /><updated>2026-03-01T10:00:00+01:00</updated><id>https://site.example/feed.xml</id><title type="html">My &amp;amp; Your Site</title><subtitle>Words</subtitle><entry><title type="html">One &amp;lt; two</title><link href="https://site.example/one.html" rel="alternate" type="text/html" title="One" /><published>2026-02-28T00:00:00+01:00</published><updated>2026-02-28T00:00:00+01:00</updated><id>https://site.example/one</id><content type="html" xml:base="https://site.example/one.html"><![CDATA[<p>Text</p>]]></content><author><name>Bo</name></author><category term="a" /><category term="b" label="Bee" /><summary type="html"><![CDATA[Text]]></summary></entry></feed>`,
  );
  expect(feed).toMatchObject({
    format: 'atom',
    id: 'https://site.example/feed.xml',
    title: 'My & Your Site',
    url: 'https://site.example/',
    selfUrl: 'https://site.example/feed.xml',
    updatedMs: Date.UTC(2026, 2, 1, 9),
    problems: [],
  });
  expect(feed.items).toEqual([
    {
      id: 'https://site.example/one',
      isIdMade: false,
      url: 'https://site.example/one.html',
      title: 'One < two',
      publishedMs: Date.UTC(2026, 1, 27, 23),
      updatedMs: Date.UTC(2026, 1, 27, 23),
      summary: 'Text',
      content: 'Text',
      author: 'Bo',
      categories: ['a', 'Bee'],
    },
  ]);
});

test('GitHub releases', () => {
  const feed = decoded(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="en-US">
  <id>tag:github.com,2008:https://github.com/o/r/releases</id>
  <link type="text/html" rel="alternate" href="https://github.com/o/r/releases"/>
  <link type="application/atom+xml" rel="self" href="https://github.com/o/r/releases.atom"/>
  <title>Release notes from r</title>
  <updated>2026-02-01T08:00:00Z</updated>
  <entry>
    <id>tag:github.com,2008:Repository/1/v2.0.0</id>
    <updated>2026-02-01T08:00:00Z</updated>
    <link rel="alternate" type="text/html" href="https://github.com/o/r/releases/tag/v2.0.0"/>
    <title>v2.0.0</title>
    <content type="html">&lt;h2&gt;Breaking&lt;/h2&gt;&lt;ul&gt;&lt;li&gt;A&lt;/li&gt;&lt;li&gt;B&lt;/li&gt;&lt;/ul&gt;</content>
    <author><name>octo</name></author>
    <media:thumbnail height="30" width="30" url="https://avatars.example/u/1"/>
  </entry>
</feed>`);
  expect(feed.items).toMatchObject([
    {
      id: 'tag:github.com,2008:Repository/1/v2.0.0',
      url: 'https://github.com/o/r/releases/tag/v2.0.0',
      title: 'v2.0.0',
      content: 'Breaking A B',
    },
  ]);
});

test('YouTube: titles of media are not those of entries, its description is the summary', () => {
  const feed = decoded(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="http://www.youtube.com/feeds/videos.xml?channel_id=UC1"/>
 <id>yt:channel:UC1</id><yt:channelId>UC1</yt:channelId><title>Chan</title>
 <link rel="alternate" href="https://www.youtube.com/channel/UC1"/>
 <entry>
  <id>yt:video:abc</id><yt:videoId>abc</yt:videoId>
  <title>Video</title>
  <link rel="alternate" href="https://www.youtube.com/watch?v=abc"/>
  <author><name>Chan</name><uri>https://www.youtube.com/channel/UC1</uri></author>
  <published>2026-01-02T03:04:05+00:00</published><updated>2026-01-03T03:04:05+00:00</updated>
  <media:group><media:title>Other</media:title><media:description>About
it</media:description></media:group>
 </entry>
</feed>`);
  expect(feed.items).toMatchObject([{ id: 'yt:video:abc', title: 'Video', summary: 'About it', author: 'Chan' }]);
});

test('Mastodon: no titles, an id that is the link', () => {
  const feed = decoded(`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:webfeeds="http://webfeeds.org/rss/1.0" xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>Cy</title><description>Public posts</description><link>https://social.example/@cy</link>
    <image><url>https://social.example/a.png</url><title>Cy</title><link>https://social.example/@cy</link></image>
    <item>
      <guid isPermaLink="true">https://social.example/@cy/1</guid>
      <link>https://social.example/@cy/1</link>
      <pubDate>Wed, 04 Feb 2026 10:00:00 +0000</pubDate>
      <description>&lt;p&gt;Hello &lt;a href=&quot;https://x.example&quot;&gt;&lt;span class=&quot;invisible&quot;&gt;https://&lt;/span&gt;x.example&lt;/a&gt;&lt;/p&gt;</description>
      <media:content url="https://social.example/m.jpg" type="image/jpeg"><media:description type="plain">A picture</media:description></media:content>
    </item>
  </channel>
</rss>`);
  expect(feed.items).toEqual([
    {
      id: 'https://social.example/@cy/1',
      isIdMade: false,
      url: 'https://social.example/@cy/1',
      publishedMs: Date.UTC(2026, 1, 4, 10),
      summary: 'Hello https://x.example',
      categories: [],
    },
  ]);
});

test('Substack: its hub, and CDATA around titles', () => {
  const feed = decoded(
    `<?xml version="1.0" encoding="UTF-8"?><rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:googleplay="http://www.google.com/schemas/play-podcasts/1.0"><channel><title><![CDATA[Letter]]></title><description><![CDATA[D]]></description><link>https://letter.example</link><atom:link href="https://letter.example/feed" rel="self" type="application/rss+xml"/><atom:link rel="hub" href="https://hub.example/"/><itunes:owner><itunes:name><![CDATA[N]]></itunes:name></itunes:owner><item><itunes:title>No</itunes:title><title><![CDATA[Post & more]]></title><description><![CDATA[Sub]]></description><link>https://letter.example/p/post</link><guid isPermaLink="false">https://letter.example/p/post</guid><pubDate>Thu, 05 Feb 2026 12:00:31 GMT</pubDate></item></channel></rss>`,
  );
  expect(feed).toMatchObject({
    title: 'Letter',
    hubUrls: ['https://hub.example/'],
    selfUrl: 'https://letter.example/feed',
  });
  expect(feed.items).toMatchObject([{ title: 'Post & more', url: 'https://letter.example/p/post' }]);
});

test('Drupal: relative to its xml:base, and an id without a scheme', () => {
  const feed = decoded(`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xml:base="https://drupal.example/en/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel><title>D</title><link>https://drupal.example/en/</link><description/>
    <item><title>Node</title><link>node/7</link><description>&lt;span&gt;T&lt;/span&gt;</description>
      <pubDate>Fri, 06 Feb 2026 00:00:00 +0000</pubDate><dc:creator>admin</dc:creator>
      <guid isPermaLink="false">7 at https://drupal.example</guid></item>
  </channel>
</rss>`);
  expect(feed.items).toMatchObject([{ id: '7 at https://drupal.example', url: 'https://drupal.example/en/node/7' }]);
});

test('phpBB', () => {
  const feed = decoded(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-gb">
	<link rel="self" type="application/atom+xml" href="https://board.example/feed" />
	<title>Board</title>
	<link href="https://board.example/index.php" />
	<updated>2026-02-07T10:00:00+02:00</updated>
	<author><name><![CDATA[Board]]></name></author>
	<id>https://board.example/feed</id>
		<entry>
		<author><name><![CDATA[dan]]></name></author>
		<updated>2026-02-07T10:00:00+02:00</updated>
		<published>2026-02-07T10:00:00+02:00</published>
		<id>https://board.example/viewtopic.php?p=9#p9</id>
		<link href="https://board.example/viewtopic.php?p=9#p9"/>
		<title type="html"><![CDATA[General &bull; Re: x &amp; y]]></title>
		<category term="General" scheme="https://board.example/viewforum.php?f=2" label="General"/>
		<content type="html" xml:base="https://board.example/viewtopic.php?p=9#p9"><![CDATA[
Hi<br><hr />
]]></content>
	</entry>
</feed>`);
  expect(feed.url).toBe('https://board.example/index.php');
  expect(feed.items).toMatchObject([
    { url: 'https://board.example/viewtopic.php?p=9#p9', title: 'General • Re: x & y', content: 'Hi' },
  ]);
});

test('arXiv: RSS 1.0 with its items beside the channel', () => {
  const feed = decoded(`<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="http://arxiv.example/">
<title>cs updates</title><link>http://arxiv.example/</link><description rdf:parseType="Literal">D</description>
<dc:date>2026-02-08T20:30:00-05:00</dc:date>
<items><rdf:Seq><rdf:li rdf:resource="http://arxiv.example/abs/1"/></rdf:Seq></items>
<image rdf:resource="http://arxiv.example/i.jpg"/>
</channel>
<image rdf:about="http://arxiv.example/i.jpg"><title>no</title><url>u</url><link>http://no.example/</link></image>
<item rdf:about="http://arxiv.example/abs/1">
<title>Sets. (arXiv:1v1 [cs.LO])</title>
<link>http://arxiv.example/abs/1</link>
<description rdf:parseType="Literal">&lt;p&gt;We show $a &amp;lt; b$.&lt;/p&gt;</description>
<dc:creator>&lt;a href="http://arxiv.example/a"&gt;E. Em&lt;/a&gt;</dc:creator>
</item>
</rdf:RDF>`);
  expect(feed).toMatchObject({
    format: 'rss',
    id: 'http://arxiv.example/',
    title: 'cs updates',
    updatedMs: Date.UTC(2026, 1, 9, 1, 30),
  });
  expect(feed.items).toEqual([
    {
      id: 'http://arxiv.example/abs/1',
      isIdMade: false,
      url: 'http://arxiv.example/abs/1',
      title: 'Sets. (arXiv:1v1 [cs.LO])',
      summary: 'We show $a < b$.',
      author: 'E. Em',
      categories: [],
    },
  ]);
});

test('Micro.blog: JSON Feed', () => {
  const feed = decoded(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Micro',
      icon: 'https://micro.example/i.jpg',
      home_page_url: 'https://micro.example/',
      feed_url: 'https://micro.example/feed.json',
      next_url: '/feed.json?page=2',
      hubs: [
        { type: 'WebSub', url: 'https://hub.example/' },
        { type: 'rssCloud', url: 'https://cloud.example/' },
      ],
      items: [
        {
          id: 'http://micro.example/1.html',
          content_html: '<p>Short post</p>',
          date_published: '2026-02-09T10:00:00-06:00',
          url: 'https://micro.example/1.html',
          tags: ['t', 1],
        },
        {
          id: 7,
          title: 'Long',
          content_text: 'a < b',
          summary: 's',
          date_modified: '2026-02-10T00:00:00Z',
          author: { name: 'F' },
        },
        'nothing',
      ],
    }),
    'https://micro.example/feed.json',
  );
  expect(feed).toEqual({
    format: 'json-feed',
    title: 'Micro',
    url: 'https://micro.example/',
    selfUrl: 'https://micro.example/feed.json',
    nextUrl: 'https://micro.example/feed.json?page=2',
    hubUrls: ['https://hub.example/'],
    isArchive: false,
    isComplete: false,
    problems: ['Item 3 says nothing.'],
    items: [
      {
        id: 'http://micro.example/1.html',
        isIdMade: false,
        url: 'https://micro.example/1.html',
        publishedMs: Date.UTC(2026, 1, 9, 16),
        content: 'Short post',
        categories: ['t'],
      },
      {
        id: '7',
        isIdMade: false,
        title: 'Long',
        updatedMs: Date.UTC(2026, 1, 10),
        summary: 's',
        content: 'a < b',
        author: 'F',
        categories: [],
      },
    ],
  });
});

test('Atom 0.3', () => {
  const feed = decoded(`<?xml version="1.0" encoding="utf-8"?>
<feed version="0.3" xmlns="http://purl.org/atom/ns#" xml:lang="en">
<title mode="escaped" type="text/html">Old &amp;amp; gold</title>
<link rel="alternate" type="text/html" href="http://old.example/"/>
<modified>2005-01-01T00:00:00Z</modified>
<entry><title>First</title><link rel="alternate" type="text/html" href="http://old.example/1"/>
<id>tag:old.example,2005:1</id><issued>2005-01-01T01:00:00+01:00</issued><modified>2005-01-01T00:00:00Z</modified>
<content type="text/html" mode="escaped">&lt;p&gt;x&lt;/p&gt;</content></entry>
</feed>`);
  expect(feed).toMatchObject({ format: 'atom', title: 'Old & gold', updatedMs: Date.UTC(2005, 0, 1) });
  expect(feed.items).toMatchObject([{ id: 'tag:old.example,2005:1', publishedMs: Date.UTC(2005, 0, 1), content: 'x' }]);
});

test('RSS 0.91 with the DOCTYPE of Netscape', () => {
  const feed = decoded(`<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">
<rss version="0.91"><channel><title>Caf&eacute;&nbsp;News</title><link>http://cafe.example/</link>
<item><title>Q&A</title><link>http://cafe.example/?a=1&b=2</link></item></channel></rss>`);
  expect(feed.title).toBe('Café News');
  expect(feed.items).toMatchObject([
    { id: 'http://cafe.example/?a=1&b=2', isIdMade: true, url: 'http://cafe.example/?a=1&b=2', title: 'Q&A' },
  ]);
  expect(feed.problems).toEqual([]);
});

test('RSS 0.90', () => {
  const feed = decoded(`<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/">
<channel><title>S</title><link>http://s.example/</link></channel>
<item><title>I</title><link>/i</link></item></rdf:RDF>`);
  expect(feed.items).toMatchObject([{ url: 'http://s.example/i', title: 'I' }]);
});
