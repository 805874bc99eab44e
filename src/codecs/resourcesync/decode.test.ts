import { describe, expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import {
  decodeCapabilityList,
  decodeChangeList,
  decodeChangeListIndex,
  decodeResourceDumpManifest,
  decodeResourceSync,
  decodeSourceDescription,
  decodeSourceDescriptionIndex,
} from './decode.ts';
import { hrefOf } from './wire.ts';

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const urlset = (...lines: string[]) => `<urlset ${NAMESPACES}>\n${lines.join('\n')}\n</urlset>`;
const sitemapindex = (...lines: string[]) => `<sitemapindex ${NAMESPACES}>\n${lines.join('\n')}\n</sitemapindex>`;

const DESCRIPTION_MD = '<rs:md capability="description"/>';
const COLLECTION = `<url>
  <loc>https://example.com/my-shrine/capabilitylist.xml</loc>
  <rs:md capability="capabilitylist"/>
  <rs:ln rel="describes" href="https://example.com/my-shrine/"/>
</url>`;
const UP = '<rs:ln rel="up" href="https://example.com/description.xml"/>';
const DESCRIBES = '<rs:ln rel="describes" href="https://example.com/my-shrine/"/>';
const CAPABILITY_MD = '<rs:md capability="capabilitylist"/>';
const CHANGELIST_URL = '<url><loc>https://example.com/changelist.xml</loc><rs:md capability="changelist"/></url>';
const CHANGE_MD = '<rs:md capability="changelist" from="1972-12-31"/>';
const change = (attributes: string, loc = 'https://example.com/a') =>
  `<url><loc>${loc}</loc><rs:md ${attributes}/></url>`;
const GOOD = change('change="updated" datetime="2022-11-06"');

const clausesOf = (result: ReturnType<typeof decodeResourceSync>) =>
  result.ok
    ? result.value.problems.map(({ clause }) => clause)
    : result.issues.map(({ clause }) => `refused ${clause}`);
const locsOf = (result: ReturnType<typeof decodeResourceSync>) =>
  result.ok ? result.value.entries.map(({ loc }) => loc) : undefined;

describe('Source Descriptions', () => {
  clause('RS-G3', 'names the Capability List of each collection, and no other', () => {
    const other = '<url><loc>https://example.com/b.xml</loc><rs:md capability="resourcelist"/></url>';
    const decoded = decodeSourceDescription(urlset(DESCRIPTION_MD, COLLECTION, other, COLLECTION));
    expect(locsOf(decoded)).toHaveLength(2);
    expect(clausesOf(decoded)).toEqual(['RS-S4']);
    if (decoded.ok) expect(decoded.value.problems[0]).toMatchObject({ effect: 'skipped', line: 8 });
  });

  clause('RS-S5', 'an entry without `describes` is told of and kept: its Capability List says it', () => {
    const decoded = decodeSourceDescription(urlset(DESCRIPTION_MD, COLLECTION.replace('describes', 'about')));
    expect(locsOf(decoded)).toHaveLength(1);
    expect(clausesOf(decoded)).toEqual(['RS-S5']);
  });

  clause(['RS-S7', 'RS-U9'], '`describedby` may be there', () => {
    const about = '<rs:ln rel="describedby" href="https://example.com/info.xml"/>';
    const decoded = decodeSourceDescription(urlset(about, DESCRIPTION_MD, COLLECTION));
    expect(decoded.ok && hrefOf(decoded.value, 'describedby')).toBe('https://example.com/info.xml');
    expect(clausesOf(decoded)).toEqual([]);
  });

  test.each([
    ['has none', ''],
    ['has another', '<rs:md capability="resourcelist"/>'],
    ['has one that nobody knows', '<rs:md capability="Description"/>'],
    ['has one in another namespace', '<md xmlns="http://example.com/" capability="description"/>'],
    ['has one in the namespace of sitemaps', '<md capability="description"/>'],
    ['has it in an attribute of another namespace', '<rs:md rs:capability="description"/>'],
  ])('[RS-S3] [RS-G2] is refused when the capability of the document %s', (_, md) => {
    expect(clausesOf(decodeSourceDescription(urlset(md, COLLECTION)))).toEqual(['refused RS-S3']);
  });

  test('what a small document says of itself behind its entries counts, and is told of', () => {
    const decoded = decodeSourceDescription(urlset(COLLECTION, DESCRIPTION_MD));
    expect(locsOf(decoded)).toHaveLength(1);
    expect(clausesOf(decoded)).toEqual(['RESOURCESYNC-ENTRY']);
  });

  clause(['RS-X2', 'RS-X3'], 'an index is known by its root, with or without rs:md', () => {
    const sitemap = '<sitemap><loc>https://example.com/d1.xml</loc></sitemap>';
    const index = sitemapindex(DESCRIPTION_MD, sitemap, sitemap.replace('d1', 'd2'));
    expect(locsOf(decodeSourceDescriptionIndex(index))).toEqual([
      'https://example.com/d1.xml',
      'https://example.com/d2.xml',
    ]);
    const bare = decodeResourceSync(sitemapindex(sitemap), { capability: 'description' });
    expect(locsOf(bare)).toEqual(['https://example.com/d1.xml']);
    expect(clausesOf(bare)).toEqual(['RESOURCESYNC-KIND']);
    expect(clausesOf(decodeResourceSync(sitemapindex(sitemap)))).toEqual(['refused RESOURCESYNC-KIND']);
  });

  clause('RS-X3', 'an index where none may be is refused', () => {
    const index = sitemapindex(DESCRIPTION_MD, '<sitemap><loc>https://example.com/d1.xml</loc></sitemap>');
    expect(clausesOf(decodeSourceDescription(index))).toEqual(['refused RS-X3']);
    expect(clausesOf(decodeSourceDescriptionIndex(urlset(DESCRIPTION_MD, COLLECTION)))).toEqual(['refused RS-X2']);
  });
});

describe('Capability Lists', () => {
  clause(['RS-C7', 'RS-C9', 'RS-G8'], 'lead to the changes, beside other capabilities', () => {
    const other = '<url><loc>https://example.com/own.xml</loc><rs:md capability="of-their-own"/></url>';
    const decoded = decodeCapabilityList(urlset(UP, DESCRIBES, CAPABILITY_MD, CHANGELIST_URL, other));
    expect(clausesOf(decoded)).toEqual([]);
    expect(decoded.ok && decoded.value.entries.map(({ md }) => md.capability)).toEqual(['changelist', 'of-their-own']);
  });

  clause(['RS-C2', 'RS-C5'], 'without `up` it is told of and read', () => {
    const decoded = decodeCapabilityList(urlset(DESCRIBES, CAPABILITY_MD, CHANGELIST_URL));
    expect(clausesOf(decoded)).toEqual(['RS-C2']);
    expect(locsOf(decoded)).toHaveLength(1);
  });

  clause(['RS-C4', 'RS-G7'], 'without `describes` it is refused', () => {
    expect(clausesOf(decodeCapabilityList(urlset(UP, CAPABILITY_MD, CHANGELIST_URL)))).toEqual(['refused RS-G7']);
  });

  test.each([0, 2, 3])('[RS-C8] [RS-G9] %i Change Lists are told of', (count) => {
    const entries = Array.from({ length: count }, (_, at) => CHANGELIST_URL.replace('changelist.xml', `${at}.xml`));
    const decoded = decodeCapabilityList(urlset(UP, DESCRIBES, CAPABILITY_MD, ...entries));
    expect(clausesOf(decoded)).toEqual(['RS-C8']);
    expect(locsOf(decoded)).toHaveLength(count);
  });

  test('there is no index of them', () => {
    const index = sitemapindex(CAPABILITY_MD, '<sitemap><loc>https://example.com/d1.xml</loc></sitemap>');
    expect(clausesOf(decodeResourceSync(index))).toEqual(['refused RS-C7']);
  });
});

describe('Change Lists', () => {
  const list = (...entries: string[]) => decodeChangeList(urlset(UP, CHANGE_MD, ...entries));

  test.each(['created', 'updated', 'deleted'])('[RS-L7] [RS-G13] reads a page that was %s', (kind) => {
    const decoded = list(change(`change="${kind}" datetime="2022-11-06T10:00:00Z"`));
    expect(decoded.ok && decoded.value.entries[0]?.md).toMatchObject({
      change: kind,
      datetime: { startMs: Date.UTC(2022, 10, 6, 10) },
    });
    expect(clausesOf(decoded)).toEqual([]);
  });

  test.each([
    'change="modified" datetime="2022"',
    'change="Updated" datetime="2022"',
    'change="" datetime="2022"',
    'datetime="2022"',
  ])('[RS-L7] [RS-G13] skips an entry with %s and reads the others', (attributes) => {
    const decoded = list(change(attributes, 'https://example.com/bad'), GOOD);
    expect(locsOf(decoded)).toEqual(['https://example.com/a']);
    expect(clausesOf(decoded)).toEqual(['RS-L7']);
  });

  test.each(['', 'datetime=""', 'datetime="yesterday"', 'datetime="2022-02-30"'])(
    '[RS-L8] [RS-G12] skips an entry with the time "%s", whatever its lastmod says',
    (datetime) => {
      const bad = `<url><loc>https://example.com/bad</loc><lastmod>2022-11-06</lastmod><rs:md change="updated" ${datetime}/></url>`;
      const decoded = list(bad, GOOD);
      expect(locsOf(decoded)).toEqual(['https://example.com/a']);
      expect(clausesOf(decoded)).toContain('RS-G12');
    },
  );

  test.each([
    ['no loc', '<url><rs:md change="updated" datetime="2022"/></url>'],
    ['an empty loc', change('change="updated" datetime="2022"', ' ')],
    ['a relative loc', change('change="updated" datetime="2022"', '/my-page')],
    ['a loc of another scheme', change('change="updated" datetime="2022"', 'javascript:alert(1)')],
    ['a loc that is no URL', change('change="updated" datetime="2022"', 'https://')],
    ['a loc with a password', change('change="updated" datetime="2022"', 'https://me:secret@example.com/')],
    ['a long loc', change('change="updated" datetime="2022"', `https://example.com/${'a'.repeat(5000)}`)],
    ['two locs', GOOD.replace('<rs:md', '<loc>https://example.com/b</loc><rs:md')],
    ['a loc in another namespace', GOOD.replace('<loc>', '<loc xmlns="http://example.com/">')],
  ])('[RS-L9] skips an entry with %s', (_, entry) => {
    const decoded = list(entry, GOOD);
    expect(locsOf(decoded)).toEqual(['https://example.com/a']);
    expect(clausesOf(decoded)).toEqual(['RS-L9']);
  });

  clause('RS-L12', 'several changes of one page are several entries', () => {
    expect(locsOf(list(GOOD, GOOD))).toEqual(['https://example.com/a', 'https://example.com/a']);
  });

  test.each(['', 'from="long ago"'])('[RS-L5] a list with the beginning "%s" is told of and read', (from) => {
    const decoded = decodeChangeList(urlset(UP, `<rs:md capability="changelist" ${from}/>`, GOOD));
    expect(clausesOf(decoded)).toContain('RS-L5');
    expect(locsOf(decoded)).toHaveLength(1);
  });

  clause('RS-L2', 'a list without `up` is told of and read', () => {
    expect(clausesOf(decodeChangeList(urlset(CHANGE_MD, GOOD)))).toEqual(['RS-L2']);
  });

  clause('RS-L6', 'a list that is closed says until when', () => {
    const md = '<rs:md capability="changelist" from="2022-01-01" until="2022-12-31"/>';
    const decoded = decodeChangeList(urlset(UP, md));
    expect(decoded.ok && decoded.value.md.until?.endMs).toBe(Date.UTC(2023, 0, 1) - 1);
  });

  clause('RS-L4', 'a list that does not say what it is, before its entries, is refused', () => {
    expect(clausesOf(decodeChangeList(urlset(UP, GOOD)))).toEqual(['refused RS-L4']);
    expect(clausesOf(decodeChangeList(urlset(UP, '<rs:md capability="changedump"/>', GOOD)))).toEqual([
      'refused RS-L4',
    ]);
  });

  clause(['RS-G10', 'RS-G11'], 'an index says which time each list is about', () => {
    const sitemap = '<sitemap><loc>https://example.com/1.xml</loc><rs:md from="2022-01" until="2022-02"/></sitemap>';
    const decoded = decodeChangeListIndex(
      sitemapindex(UP, CHANGE_MD, sitemap, '<sitemap><loc>https://example.com/2.xml</loc></sitemap>'),
    );
    expect(decoded.ok && decoded.value.entries.map(({ md }) => md.until?.endMs)).toEqual([
      Date.UTC(2022, 2, 1) - 1,
      undefined,
    ]);
    expect(clausesOf(decoded)).toEqual([]);
  });

  clause('RS-X2', 'what belongs into the other kind of document is skipped', () => {
    const decoded = list(
      '<sitemap><loc>https://example.com/1.xml</loc></sitemap>',
      GOOD,
      '<url xmlns=""><loc>https://x.example/</loc></url>',
    );
    expect(clausesOf(decoded)).toEqual(['RS-X2', 'RS-S2']);
    expect(locsOf(decoded)).toHaveLength(1);
  });

  test('what is wrong beside the change leaves the change', () => {
    const entry = `<url><loc>
      https://example.com/a </loc><lastmod>never</lastmod><changefreq>daily</changefreq><other xmlns="http://example.com/"><loc>x</loc></other>
      <rs:md change="updated" datetime="2022-11-06" length="many" path="../../etc/passwd"/><rs:md change="deleted"/>
      <rs:ln rel="alternate" href="relative"/><rs:ln href="https://example.com/"/><rs:ln rel="canonical" href="https://example.com/c" pri="0"/></url>`;
    const decoded = list(entry);
    expect(decoded.ok && decoded.value.entries[0]).toMatchObject({
      loc: 'https://example.com/a',
      md: { change: 'updated' },
      links: [{ rel: 'canonical', href: 'https://example.com/c' }],
    });
    expect(decoded.ok && Object.keys(decoded.value.entries[0]?.md ?? {})).toEqual(['change', 'datetime']);
    expect(new Set(clausesOf(decoded))).toEqual(new Set(['RESOURCESYNC-ENTRY']));
    expect(clausesOf(decoded)).toHaveLength(7);
  });

  test('comments and CDATA in an address are read as XML says', () => {
    expect(locsOf(list(GOOD.replace('/a</loc>', '/<!-- c -->a<![CDATA[?x=1&y=]]>&#50;&amp;z</loc>')))).toEqual([
      'https://example.com/a?x=1&y=2&z',
    ]);
  });
});

test.each(['/a/../b', '/../a', '/a/', '//a', '/a\\b', '/./a', '/c:/a', ''])(
  'a manifest with the path "%s" leads nowhere',
  (path) => {
    const md = '<rs:md capability="resourcedump-manifest" at="2022-01-01"/>';
    const decoded = decodeResourceDumpManifest(urlset(UP, md, change(`path="${path}"`), change('path="/a/..b.html"')));
    expect(decoded.ok && decoded.value.entries.map((entry) => entry.md.path)).toEqual(['/a/..b.html']);
  },
);

clause('RS-S2', 'prefixes do not matter, namespaces do', () => {
  const text = urlset(UP, CHANGE_MD, GOOD);
  const prefixed = text
    .replaceAll(/<(\/?)(urlset|url|loc)/g, '<$1s:$2')
    .replaceAll('rs:', 'x:')
    .replace('xmlns:rs', 'xmlns:x')
    .replace('xmlns=', 'xmlns:s=');
  expect(locsOf(decodeChangeList(prefixed))).toEqual(['https://example.com/a']);
  expect(clausesOf(decodeChangeList(text.replace('sitemap/0.9', 'sitemap/0.8')))).toEqual(['refused RS-S2']);
  expect(clausesOf(decodeChangeList(text.replace('/rs/terms/', '/rs/terms')))).toEqual(['refused RS-L4']);
});

test.each([
  ['a page', '<!DOCTYPE html><html><body>Not found</body></html>', 'HTML page'],
  ['a page in small letters', '\n<!doctype html><p>Not found', 'HTML page'],
  ['a page without a DOCTYPE', '<html><body>Not found</body></html>', 'HTML page'],
  ['a feed', '<feed xmlns="http://www.w3.org/2005/Atom"/>', '"feed"'],
  ['nothing', '', 'root'],
  ['text', 'Not found', 'well-formed'],
  ['JSON', '{"a":1}', 'well-formed'],
  ['a DOCTYPE', `<!DOCTYPE urlset [<!ENTITY a "b">]>${urlset(UP, CHANGE_MD, GOOD)}`, 'DOCTYPE'],
  ['an entity', urlset(UP, CHANGE_MD, GOOD.replace('/a<', '/&a;<')), 'entity'],
  ['a bare ampersand', urlset(UP, CHANGE_MD, GOOD.replace('/a<', '/?a&b<')), 'well-formed'],
  ['half a document', urlset(UP, CHANGE_MD, GOOD).slice(0, -12), 'well-formed'],
  ['two roots', urlset(UP, CHANGE_MD, GOOD).repeat(2), 'well-formed'],
  ['a prefix that is not declared', urlset(UP, CHANGE_MD, '<image:image/>'), 'prefix'],
  ['an attribute twice', urlset('<rs:md capability="changelist" capability="changelist"/>'), 'well-formed'],
  ['an attribute twice by its meaning', urlset('<a xmlns:b="c:d" xmlns:e="c:d" b:x="" e:x=""/>'), 'twice'],
  ['a tag that another closes', urlset(UP, CHANGE_MD, '<url></sitemap>'), 'well-formed'],
  ['another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${urlset(UP, CHANGE_MD, GOOD)}`, 'ISO-8859-1'],
  ['a control character', urlset(UP, CHANGE_MD, GOOD.replace('/a', '/\u0001')), 'well-formed'],
  ['the number of no character', urlset(UP, CHANGE_MD, GOOD.replace('/a', '/&#0;')), 'well-formed'],
  ['half a pair', urlset(UP, CHANGE_MD, GOOD.replace('/a', '/\ud83d')), 'surrogate'],
])('refuses %s', (_, text, word) => {
  const decoded = decodeResourceSync(text);
  expect(decoded.ok).toBe(false);
  if (!decoded.ok) expect(decoded.issues[0].message).toContain(word);
});

test('a refusal names the line', () => {
  const decoded = decodeChangeList(urlset(UP, CHANGE_MD, GOOD, '<url>', '</oops>'));
  expect(!decoded.ok && decoded.issues[0].message).toMatch(/^Line 6: /);
});

test('problems beyond a hundred are not kept', () => {
  const decoded = decodeChangeList(urlset(UP, CHANGE_MD, ...Array.from({ length: 300 }, () => '<url/>')));
  expect(decoded.ok && decoded.value.problems).toHaveLength(100);
});

describe('a description of any length', () => {
  const collections = (count: number) =>
    Array.from({ length: count }, (_, at) => COLLECTION.replaceAll('my-shrine', `shrine-${at}`));

  clause('RS-S10', 'is read to its end', () => {
    expect(locsOf(decodeSourceDescription(urlset(DESCRIPTION_MD, ...collections(2500))))).toHaveLength(2500);
  });

  clause('RS-S3', 'is not kept waiting for ever for what it is', () => {
    expect(locsOf(decodeSourceDescription(urlset(...collections(900), DESCRIPTION_MD)))).toHaveLength(900);
    expect(clausesOf(decodeSourceDescription(urlset(...collections(1100), DESCRIPTION_MD)))).toEqual(['refused RS-S3']);
  });
});

clause(['RS-S3', 'RS-C7', 'RS-L4'], 'the documents that IFCC-0001 shows are read without a problem', () => {
  const description = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/info-about-my-website.xml"/>
  <rs:md capability="description"/>
  <url>
    <loc>https://example.com/my-shrine/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describes" href="https://example.com/my-shrine/"/>
    <rs:ln rel="describedby" href="https://example.com/my-shrine/info-about-my-shrine.xml"/>
  </url>
</urlset>`;
  const capabilities = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/description.xml"/>
  <rs:ln rel="describes" href="https://example.com/my-shrine/"/>
  <rs:ln rel="describedby" href="https://example.com/info-about-my-shrine.xml"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/my-shrine/changelist.xml</loc>
    <rs:md capability="changelist"/>
  </url>
</urlset>`;
  const changes = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>
  <rs:md capability="changelist" from="1972-12-31"/>
  <url>
    <loc>http://example.com/my-shrine/my-page/</loc>
    <rs:md change="updated" datetime="2022-11-06"/>
  </url>
</urlset>`;
  const read = [decodeSourceDescription(description), decodeCapabilityList(capabilities), decodeChangeList(changes)];
  expect(read.map(clausesOf)).toEqual([[], [], []]);
  expect(read.map(locsOf)).toEqual([
    ['https://example.com/my-shrine/capabilitylist.xml'],
    ['https://example.com/my-shrine/changelist.xml'],
    ['http://example.com/my-shrine/my-page/'],
  ]);
});
