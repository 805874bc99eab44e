import { describe, expect, test } from 'vitest';
import { validAtom, validResourceSync, validSitemap } from './xml-validity.ts';

const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://docs.example/</loc><lastmod>2026-01-02</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url>
  <url><loc>https://docs.example/a?b=1&amp;c=2</loc><lastmod>2026-01-02T03:04:05.678Z</lastmod></url>
</urlset>`;
const INDEX = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://docs.example/sitemap-1.xml</loc><lastmod>2026-01-02T03:04:05+02:00</lastmod></sitemap>
</sitemapindex>`;
const LIST = `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <rs:ln rel="up" href="https://docs.example/resourcesync/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2026-01-02T03:04:05Z"/>
  <s:url>
    <s:loc>https://docs.example/</s:loc><s:lastmod>2026-01-02T03:04:05Z</s:lastmod>
    <rs:md hash="md5:${'0'.repeat(32)} sha-256:${'aB'.repeat(32)}" length="0" type="text/html" change="updated" xlink:title="T"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://docs.example/p" pri="1" modified="2026-01-02T03:04:05Z"/>
  </s:url>
</s:urlset>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:a</id><title>T</title><updated>2026-01-02T03:04:05Z</updated>
  <author><name>A</name></author></feed>`;

type Fault = readonly [what: string, from: string | RegExp, to: string];

async function expectFound(valid: typeof validAtom, document: string, faults: readonly Fault[]): Promise<void> {
  const planted = faults.map(([what, from, to]) => {
    const broken = document.replace(from, to);
    if (broken === document) throw new Error(`"${what}" changes nothing`);
    return broken;
  });
  const found = (await valid(document, ...planted)).join('\n');
  const missed = faults.filter((_, at) => !found.includes(`document-${at + 2}.xml`)).map(([what]) => what);
  expect(missed).toEqual([]);
  expect(found).not.toContain('document-1.xml');
}

describe('sitemaps', () => {
  test('sitemaps and indexes are valid', async () => {
    expect(await validSitemap(SITEMAP, INDEX)).toEqual([]);
  });

  test('each fault is found', async () => {
    await expectFound(validSitemap, SITEMAP, [
      ['not well-formed', '</urlset>', ''],
      ['another namespace', 'sitemap/0.9', 'sitemap/0.84'],
      ['another root', /urlset/g, 'sitemapindex'],
      ['no entry', /<url>[\s\S]*<\/url>/, ''],
      ['no loc', /<loc>.*?<\/loc>/, ''],
      ['two locs', '<loc>', '<loc>https://docs.example/2</loc><loc>'],
      ['a short loc', 'https://docs.example/', 'http://a.b/'],
      ['a long loc', 'https://docs.example/', `https://docs.example/${'a'.repeat(2048)}`],
      ['a loc that is no address', 'https://docs.example/', 'https://docs.example/%zz'],
      ['a day that is none', '2026-01-02', '2026-02-30'],
      ['a time without seconds', 'T03:04:05.678Z', 'T03:04Z'],
      ['a frequency', 'daily', 'Daily'],
      ['a priority', '0.5', '1.1'],
      ['another order', /(<changefreq>.*?<\/changefreq>)(<priority>.*?<\/priority>)/, '$2$1'],
      ['elements of ours', '</url>', '<x xmlns="urn:x"/></url>'],
      ['an attribute', '<url>', '<url id="x">'],
    ]);
  });
});

describe('ResourceSync', () => {
  test('documents with any prefix are valid, and so is a plain sitemap', async () => {
    expect(await validResourceSync(LIST, SITEMAP, INDEX)).toEqual([]);
  });

  test('each fault is found', async () => {
    await expectFound(validResourceSync, LIST, [
      ['a term in no namespace', '<rs:md', '<md'],
      ['an unknown term', '<rs:ln', '<rs:link'],
      ['an unknown attribute', 'capability=', 'capabilities='],
      ['a date without time', 'at="2026-01-02T03:04:05Z"', 'at="2026-01-02"'],
      ['a change', 'change="updated"', 'change="modified"'],
      ['a hash of another kind', 'md5:', 'crc:'],
      ['a hash in base64', /sha-256:[^"]*/, `sha-256:${'A'.repeat(43)}=`],
      ['a length', 'length="0"', 'length="-1"'],
      ['no relation', 'rel="up" ', ''],
      ['no address', /href="[^"]*"/, ''],
      ['a preference', 'pri="1"', 'pri="0"'],
      ['a path that is a folder', 'type="text/html"', 'path="/a/"'],
      ['a path that is relative', 'type="text/html"', 'path="a"'],
      ['terms behind the entries', '</s:urlset>', '<rs:ln rel="up" href="https://docs.example/"/></s:urlset>'],
      ['text in a term', /(<rs:md capability[^/]*)\/>/, '$1>x</rs:md>'],
    ]);
  });
});

test('faults of Atom are found', async () => {
  await expectFound(validAtom, ATOM, [
    ['no id', '<id>urn:a</id>', ''],
    ['a date', '2026-01-02T03:04:05Z', '2026-01-02'],
    ['not well-formed', '</feed>', ''],
  ]);
});
