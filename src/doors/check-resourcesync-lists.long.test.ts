import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import {
  brief,
  CAPABILITIES,
  CHANGES,
  type Files,
  findingsIn,
  folderOf,
  INDEX,
  lines,
  PAGE,
  RESOURCES,
  ROOT,
  shrine,
  WELL_KNOWN,
  withEdit,
} from '../../test/support/check-resourcesync-site.ts';
import { IS_LONG } from '../../test/support/short-or-long.ts';
import { check, checkReport } from './check.ts';

/** The site with a Change List Index of a closed list and an open one. */
function indexed(edit: (index: string) => string = (index) => index): Files {
  const files = shrine();
  const closed = String(files[CHANGES])
    .replace('Z"/>', 'Z" until="2022-12-01T00:00:00Z"/>')
    .replaceAll('2022-01-01', '2022-01-01');
  const open = String(files[CHANGES])
    .replace('from="2022-01-01', 'from="2022-12-01')
    .replace('2022-11-06', '2022-12-06');
  const index = lines(
    INDEX,
    '<rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>',
    '<rs:md capability="changelist" from="2022-01-01T00:00:00Z"/>',
    '<sitemap>',
    '<loc>https://example.com/my-shrine/changelist-1.xml</loc>',
    '<rs:md from="2022-01-01T00:00:00Z" until="2022-12-01T00:00:00Z"/>',
    '</sitemap>',
    '<sitemap>',
    '<loc>https://example.com/my-shrine/changelist-2.xml</loc>',
    '<rs:md from="2022-12-01T00:00:00Z"/>',
    '</sitemap>',
    '</sitemapindex>',
  );
  return {
    ...files,
    [CHANGES]: edit(index),
    'my-shrine/changelist-1.xml': closed,
    'my-shrine/changelist-2.xml': open,
  };
}

clause(['RS-X1', 'RS-L11', 'RS-G10'], 'a Change List Index is followed, and each entry must say its time', async () => {
  expect(await findingsIn(indexed())).toEqual([]);
  const folder = await folderOf(indexed());
  const { clauses } = await checkReport(folder, { spec: 'resourcesync' });
  const passed = clauses.filter(({ status }) => status === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['RS-X1', 'RS-L11', 'RS-G10', 'RS-L7']));

  const none = await findingsIn(indexed((index) => index.replace('<rs:md from="2022-12-01T00:00:00Z"/>\n', '')));
  expect(brief(none)).toEqual([`SHOULD RS-G10 ${CHANGES}:8`]);
});

clause(['RS-X1', 'RS-S10'], 'a Source Description Index is followed to all of its Source Descriptions', async () => {
  const files = shrine();
  const move = (text: string) =>
    text
      .replaceAll('example.com/my-shrine/', 'example.com/other/')
      .replace('/.well-known/resourcesync', '/description-2.xml');
  const first = String(files[CAPABILITIES]).replace('/.well-known/resourcesync', '/description-1.xml');
  const entry = (name: string) => ['<sitemap>', `<loc>https://example.com/${name}</loc>`, '</sitemap>'];
  const split: Files = {
    ...files,
    [WELL_KNOWN]: lines(
      INDEX,
      '<rs:md capability="description"/>',
      ...entry('description-1.xml'),
      ...entry('description-2.xml'),
      '</sitemapindex>',
    ),
    'description-1.xml': files[WELL_KNOWN] ?? '',
    'description-2.xml': move(String(files[WELL_KNOWN])),
    [CAPABILITIES]: first,
    'other/index.html': PAGE,
    'other/capabilitylist.xml': move(String(files[CAPABILITIES])),
    'other/changelist.xml': move(String(files[CHANGES])),
    'other/resourcelist.xml': move(String(files[RESOURCES])),
  };
  expect(await findingsIn(split)).toEqual([]);
  const { 'description-2.xml': _, ...without } = split;
  expect(brief(await findingsIn(without))).toEqual([`MUST RS-S3 ${WELL_KNOWN}:6`]);
});

test('an index that closes an open list, or is not in order, is told', async () => {
  const closing = indexed((index) => index.replace('from="2022-12-01T00:00:00Z"', '$& until="2022-12-31T00:00:00Z"'));
  const found = await findingsIn(closing);
  expect(brief(found)).toEqual([`MUST RESOURCESYNC-ENTRY ${CHANGES}:10`]);
  expect(found[0]?.seen).toContain('is an open list');

  const late = indexed((index) =>
    index.replace('<rs:md from="2022-12-01T00:00:00Z"/>', '<rs:md from="2021-12-01T00:00:00Z"/>'),
  );
  expect(brief(await findingsIn(late))).toEqual([
    `MUST RESOURCESYNC-ENTRY ${CHANGES}:10`,
    `SHOULD RESOURCESYNC-ENTRY ${CHANGES}:10`,
  ]);
});

test('an index within an index is told, and a list that leads in a circle ends', async () => {
  const files = indexed();
  const nested = { ...files, 'my-shrine/changelist-2.xml': String(files[CHANGES]).replaceAll('changelist-', 'none-') };
  expect(brief(await findingsIn(nested))).toEqual(['MUST RESOURCESYNC-KIND my-shrine/changelist-2.xml:1']);
  const circle = indexed((index) => index.replace('changelist-2.xml', 'changelist.xml'));
  expect(brief(await findingsIn(circle))).toEqual([`SHOULD RESOURCESYNC-ENTRY ${CHANGES}:8`]);
});

test('changes out of order, outside of the time of the list, twice, foreign and in the future are told', async () => {
  const entry = (loc: string, datetime: string) =>
    `<url>\n<loc>${loc}</loc>\n<rs:md change="updated" datetime="${datetime}"/>\n</url>\n`;
  const added = [
    entry('https://example.com/my-shrine/a', '2022-11-05T10:00:00Z'),
    entry('https://example.com/my-shrine/b', '2021-11-06T10:00:00Z'),
    entry('https://example.com/my-shrine/', '2022-11-06T10:00:00Z'),
    entry('https://other.example/', '2022-11-07T10:00:00Z'),
    entry('http://example.com/x', '2999-11-07T10:00:00Z'),
  ].join('');
  const found = await withEdit(CHANGES, '</urlset>', `${added}</urlset>`);
  const at = (line: number) => found.filter(({ where }) => where === `${CHANGES}:${line}`).map(({ seen }) => seen);
  expect(at(10)).toEqual([expect.stringContaining('stands behind a later change')]);
  expect(at(14)).toEqual(
    expect.arrayContaining([expect.stringContaining('before the time of the list'), expect.stringContaining('behind')]),
  );
  expect(at(16)).toEqual([expect.stringContaining('is in line 4 already')]);
  expect(at(21)).toEqual([expect.stringContaining('on another site')]);
  expect(at(25)).toEqual([expect.stringContaining('is http, and the site is https')]);
  expect(at(26)).toEqual([expect.stringContaining('in the future')]);
});

test('a thousand same faults become five and a number', async () => {
  const bad =
    '<url>\n<loc>https://example.com/a</loc>\n<rs:md change="moved" datetime="2022-11-07T10:00:00Z"/>\n</url>\n';
  const found = await withEdit(CHANGES, '</urlset>', `${bad.repeat(1000)}</urlset>`);
  expect(found.map(({ where }) => where)).toEqual(
    [10, 14, 18, 22, 26].map((line) => `${CHANGES}:${line}`).concat(CHANGES),
  );
  expect(found.at(-1)).toMatchObject({ clause: 'RS-L7', seen: 'and 995 more' });
});

test('times that are right but not full UTC are advice, with the line as it should be', async () => {
  const offset = await withEdit(CHANGES, '2022-11-06T10:00:00Z', '2022-11-06T10:00:00+02:00');
  expect(brief(offset)).toEqual([`MAY RESOURCESYNC-ADVICE ${CHANGES}:6`]);
  expect(offset[0]?.remedy).toBe('Write: <rs:md change="updated" datetime="2022-11-06T08:00:00Z"/>');
  const naive = await withEdit(CHANGES, '2022-11-06T10:00:00Z', '2022-11-06 10:00:00');
  expect(brief(naive)).toEqual([`SHOULD RESOURCESYNC-ENTRY ${CHANGES}:6`]);
});

clause(['RS-S7', 'RS-C5', 'RS-L5'], 'the examples of the proposal have only the faults that they have', async () => {
  const files: Files = {
    'index.html': PAGE,
    'info-about-my-website.xml': '<about><title>My website</title><author>Ann</author></about>',
    'info-about-my-shrine.xml': '<about><title>My shrine</title><author>Ann</author></about>',
    'my-shrine/info-about-my-shrine.xml': '<about><title>My shrine</title><author>Ann</author></about>',
    [WELL_KNOWN]: lines(
      ROOT,
      '  <rs:ln rel="describedby" href="https://example.com/info-about-my-website.xml"/>',
      '  <rs:md capability="description"/>',
      '  <url>',
      '    <loc>https://example.com/my-shrine/capabilitylist.xml</loc>',
      '    <rs:md capability="capabilitylist"/>',
      '    <rs:ln rel="describes" href="https://example.com/my-shrine/"/>',
      '    <rs:ln rel="describedby" href="https://example.com/my-shrine/info-about-my-shrine.xml"/>',
      '  </url>',
      '</urlset>',
    ),
    [CAPABILITIES]: lines(
      ROOT,
      '  <rs:ln rel="up" href="https://example.com/description.xml"/>',
      '  <rs:ln rel="describes" href="https://example.com/my-shrine/"/>',
      '  <rs:ln rel="describedby" href="https://example.com/info-about-my-shrine.xml"/>',
      '  <rs:md capability="capabilitylist"/>',
      '  <url>',
      '    <loc>https://example.com/my-shrine/changelist.xml</loc>',
      '    <rs:md capability="changelist"/>',
      '  </url>',
      '</urlset>',
    ),
    [CHANGES]: lines(
      ROOT,
      '  <rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>',
      '  <rs:md capability="changelist" from="1972-12-31"/>',
      '  <url>',
      '    <loc>http://example.com/my-shrine/my-page/</loc>',
      '    <rs:md change="updated" datetime="2022-11-06"/>',
      '  </url>',
      '</urlset>',
    ),
  };
  const advice = [
    // Its http address on an https site.
    `SHOULD RESOURCESYNC-ENTRY ${CHANGES}:5`,
    `MAY RESOURCESYNC-ADVICE ${CAPABILITIES}:1`,
    `MAY RESOURCESYNC-ADVICE ${CHANGES}:3`,
    `MAY RESOURCESYNC-ADVICE ${CHANGES}:6`,
  ];
  expect(brief(await findingsIn(files))).toEqual([`MUST RS-C3 ${CAPABILITIES}:2`, ...advice]);
  expect(brief(await findingsIn({ ...files, 'description.xml': files[WELL_KNOWN] ?? '' }))).toEqual(advice);
});

test('a Resource List that lies is told, with what the bytes are', async () => {
  const { [RESOURCES]: list, ...files } = shrine();
  const length = await withEdit(RESOURCES, `length="${PAGE.length}"`, 'length="7"');
  expect(brief(length)).toEqual([`MUST RESOURCESYNC-AUDIT ${RESOURCES}:4`]);
  expect(length[0]?.seen).toBe(
    `https://example.com/my-shrine/: the list says length="7", and it has ${PAGE.length} bytes.`,
  );
  const edited = PAGE.replace('Hello', 'Hallo');
  const hash = await findingsIn({ ...files, [RESOURCES]: list ?? '', 'my-shrine/index.html': edited });
  expect(brief(hash)).toEqual([`MUST RESOURCESYNC-AUDIT ${RESOURCES}:4`]);
  const more = '<url>\n<loc>https://example.com/my-shrine/gone.html</loc>\n<rs:md length="7"/>\n</url>\n';
  const gone = await withEdit(RESOURCES, '</urlset>', `${more}</urlset>`);
  expect(gone).toMatchObject([{ clause: 'RESOURCESYNC-AUDIT', seen: expect.stringContaining('is not there') }]);
});

test('a folder with the feeds alone is not blamed for pages that are elsewhere', async () => {
  const { 'my-shrine/index.html': _, ...files } = shrine();
  const folder = await folderOf(files);
  const { findings, notes } = await checkReport(folder, { spec: 'resourcesync' });
  expect(findings).toEqual([]);
  expect(notes).toEqual([expect.stringContaining('No page is in the folder')]);
});

test('names in the wrong case are told as such', async () => {
  const attribute = await withEdit(CHANGES, 'datetime=', 'dateTime=');
  expect(attribute).toMatchObject([{ clause: 'RS-L8', seen: expect.stringContaining('but "dateTime"') }]);
  const entry = await withEdit(CHANGES, '</urlset>', '<URL></URL>\n<sitemap/>\n</urlset>');
  expect(brief(entry)).toEqual([
    `MUST RS-L7 ${CHANGES}:9`,
    `MUST RS-L9 ${CHANGES}:9`,
    `SHOULD RESOURCESYNC-ENTRY ${CHANGES}:8`,
    `MUST RESOURCESYNC-ENTRY ${CHANGES}:9`,
  ]);
});

test('a tag over several lines is told where it begins, also behind line ends of other systems', async () => {
  const broken = '<rs:md\r\n  change="moved"\r\n  datetime="2022-11-06T10:00:00Z"\r\n/>';
  const found = await withEdit(CHANGES, '<rs:md change="updated" datetime="2022-11-06T10:00:00Z"/>', broken);
  expect(brief(found)).toEqual([`MUST RS-L7 ${CHANGES}:6`]);
});

test.each<[string, Files[string], string]>([
  ['UTF-16', new Uint8Array([0xff, 0xfe, 0x3c, 0x00]), 'It is UTF-16'],
  ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0]), 'gzip that is damaged'],
  ['nothing', '', 'It is empty.'],
  ['text', 'see you later', 'It is no XML.'],
  ['a bomb', '<!DOCTYPE a [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><urlset>&c;</urlset>', 'DOCTYPE'],
  ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><urlset/>', 'ISO-8859-1'],
  ['a cut body', ROOT, 'not well-formed'],
  ['depth', `${ROOT}${'<a>'.repeat(5000)}`, 'nested deeper'],
  ['RSS', '<rss version="2.0"><channel/></rss>', 'Its root is <rss'],
  ['comments without end', `${ROOT}${'<!--'.repeat(200_000)}`, 'not well-formed'],
])('%s in place of a Change List is told in one finding', async (_, body, seen) => {
  const found = await findingsIn({ ...shrine(), [CHANGES]: body });
  expect(found).toHaveLength(1);
  expect(found[0]?.seen).toContain(seen);
});

test.runIf(IS_LONG)('more than 50,000 entries are told', async () => {
  const entry = '<url><loc>https://example.com/a</loc></url>';
  const found = await withEdit(RESOURCES, '</urlset>', `${entry.repeat(50_000)}</urlset>`);
  expect(brief(found)).toContain(`MUST RESOURCESYNC-LIMIT ${RESOURCES}:1`);
  expect(found.length).toBeLessThan(10);
});

test('the feed for people must be an Atom feed with ids of their own', async () => {
  const entry = '<entry><id>urn:x:1</id><title>a</title><updated>2022-11-06T10:00:00Z</updated></entry>';
  const feed = (entries: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x</id><title>t</title><updated>2022-11-06T10:00:00Z</updated>${entries}</feed>`;
  expect(await findingsIn({ ...shrine(), 'changes.atom': feed(entry) })).toEqual([]);
  const twice = await findingsIn({ ...shrine(), 'changes.atom': feed(entry + entry) });
  expect(brief(twice)).toEqual(['MUST FEED-FORM changes.atom']);
  const broken = await findingsIn({ ...shrine(), 'changes.atom': '<feed>' });
  expect(brief(broken)).toEqual(['MUST FEED-FORM changes.atom']);
});

test('a folder that is checked without a wish is checked for ResourceSync, too', async () => {
  const folder = await folderOf(shrine());
  expect(await checkReport(folder)).toMatchObject({ spec: 'resourcesync', findings: [] });
  expect(await check(folder)).toEqual([]);
});

test.each(['constructor', '__proto__', 'toString'])('words that every object knows (%s) are no kinds', async (word) => {
  const change = await withEdit(CHANGES, 'change="updated"', `change="${word}"`);
  expect(brief(change)).toEqual([`MUST RS-L7 ${CHANGES}:6`]);
  const hash = await withEdit(RESOURCES, 'hash="sha-256:', `hash="${word.replaceAll('_', '-')}:`);
  expect(hash[0]?.seen).toContain('of no known kind');
});

test('a file is checked by itself, by what it says that it is or how it is called', async () => {
  const files = shrine();
  const folder = await folderOf({
    ...files,
    'wrong.xml': String(files[CHANGES])
      .replace('change="updated"', 'change="moved"')
      .replace(/<rs:ln.*\n/, ''),
    'changelist-2.xml.gz': gzipSync(String(files[CHANGES]).replace('capability="changelist" ', '')),
    'index.xml': String(indexed()[CHANGES]),
    'ai-changes.ndjson': '{}\n',
  });
  for (const path of [WELL_KNOWN, CAPABILITIES, CHANGES, RESOURCES, 'index.xml']) {
    const { spec, findings, notes, unread } = await checkReport(join(folder, path));
    expect({ spec, findings, unread }, path).toEqual({ spec: 'resourcesync', findings: [], unread: undefined });
    expect(notes).toContainEqual(expect.stringContaining('alone was looked at'));
  }
  const wrong = await checkReport(join(folder, 'wrong.xml'), { spec: 'resourcesync' });
  expect(wrong.findings.map(({ clause: id }) => id)).toEqual(['RS-L2', 'RS-L7']);
  expect(wrong.clauses.find(({ id }) => id === 'RS-L3')?.status, 'nothing is behind it').toBe('not-checkable');
  const nameless = await check(join(folder, 'changelist-2.xml.gz'));
  expect(nameless).toMatchObject([{ clause: 'RS-L4' }]);
  await expect(check(join(folder, 'ai-changes.ndjson'))).rejects.toThrow(
    /it is a file, and no document of ResourceSync/,
  );
  await expect(check(join(folder, CHANGES), { spec: 'aicf' })).rejects.toThrow(/it is a file, and aicf is checked by/);
});
