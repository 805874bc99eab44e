import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import {
  brief,
  CAPABILITIES,
  CHANGES,
  findingsIn,
  folderOf,
  PAGE,
  ROOT,
  shrine,
  WELL_KNOWN,
  withEdit,
} from '../../test/support/check-resourcesync-site.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { check } from './check.ts';

test('a right site has no finding', async () => {
  expect(await findingsIn(shrine())).toEqual([]);
});

clause('RS-S1', 'a site without a Source Description is told where one belongs', async () => {
  const { [WELL_KNOWN]: _, ...files } = shrine();
  const [finding, ...others] = await findingsIn(files);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ clause: 'RS-S1', level: 'MUST', where: WELL_KNOWN });
  expect(finding?.remedy).toContain('.nojekyll');
});

test('a folder that is no site cannot be checked', async () => {
  const folder = await folderOf({ 'notes.txt': 'nothing' });
  await expect(check(folder, { spec: 'resourcesync' })).rejects.toThrow(UnreadableTargetError);
});

clause('RS-S1', 'a page in place of the Source Description is told', async () => {
  const [finding, ...others] = await findingsIn({ ...shrine(), [WELL_KNOWN]: `<!DOCTYPE html>\n${PAGE}` });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ clause: 'RS-S1', seen: 'It is an HTML page and no XML document.' });
});

clause(
  'RS-S2',
  'wrong namespaces are told with the line as it should be, and the rest is checked all the same',
  async () => {
    const https = await withEdit(
      CHANGES,
      'http://www.sitemaps.org/schemas/sitemap/0.9',
      'https://www.sitemaps.org/schemas/sitemap/0.9',
    );
    expect(brief(https)).toEqual(['MUST RS-S2 my-shrine/changelist.xml:1']);
    expect(https[0]?.remedy).toBe(`Write: ${ROOT}`);

    const prefixed = await withEdit(
      WELL_KNOWN,
      'http://www.openarchives.org/rs/terms/',
      'http://www.openarchives.org/rs/terms',
    );
    expect(brief(prefixed)).toEqual([`MUST RS-S2 ${WELL_KNOWN}:1`]);
    expect(prefixed[0]?.remedy).toBe(`Write: ${ROOT}`);

    const undeclared = await withEdit(CHANGES, ' xmlns:rs="http://www.openarchives.org/rs/terms/"', '');
    expect(brief(undeclared)).toEqual(['MUST RS-S2 my-shrine/changelist.xml:2']);
    expect(undeclared[0]?.remedy).toBe('Add xmlns:rs="http://www.openarchives.org/rs/terms/" to the first element.');
  },
);

clause('RS-S3', 'a Source Description that does not say that it is one is told', async () => {
  const none = await withEdit(WELL_KNOWN, '<rs:md capability="description"/>', '');
  expect(brief(none)).toEqual([`MUST RS-S3 ${WELL_KNOWN}:1`]);
  const typo = await withEdit(WELL_KNOWN, '"description"', '"Description"');
  expect(brief(typo)).toEqual([`MUST RS-S3 ${WELL_KNOWN}:3`]);
  expect(typo[0]?.remedy).toBe('Write: <rs:md capability="description"/>');
});

clause('RS-S4', 'an entry of the Source Description that is no Capability List is told', async () => {
  const none = await withEdit(WELL_KNOWN, '<rs:md capability="capabilitylist"/>', '');
  expect(brief(none)).toEqual([`MUST RS-S4 ${WELL_KNOWN}:4`]);
  const other = await withEdit(WELL_KNOWN, '"capabilitylist"', '"changelist"');
  expect(brief(other)).toEqual([`MUST RS-S4 ${WELL_KNOWN}:6`]);
});

clause('RS-S5', 'an entry without a collection that it describes is told', async () => {
  const none = await withEdit(WELL_KNOWN, '<rs:ln rel="describes" href="https://example.com/my-shrine/"/>', '');
  expect(brief(none)).toEqual([`MUST RS-S5 ${WELL_KNOWN}:4`]);
  const relative = await withEdit(WELL_KNOWN, 'href="https://example.com/my-shrine/"', 'href="/my-shrine/"');
  expect(brief(relative)).toEqual([`MUST RS-S5 ${WELL_KNOWN}:7`]);
});

clause('RS-S6', 'two names for one collection are told, with the line as it should be', async () => {
  const found = await withEdit(
    CAPABILITIES,
    'href="https://example.com/my-shrine/"',
    'href="https://example.com/my-shrine"',
  );
  expect(brief(found)).toEqual([`MUST RS-S6 ${CAPABILITIES}:3`]);
  expect(found[0]?.remedy).toBe('Write: <rs:ln rel="describes" href="https://example.com/my-shrine/"/>');
});

clause(['RS-S8', 'RS-C6'], 'a site that says nothing about itself is valid, and told that it should', async () => {
  const files = shrine();
  for (const path of [WELL_KNOWN, CAPABILITIES])
    files[path] = String(files[path]).replace(/<rs:ln rel="describedby"[^>]*>\n/, '');
  const found = await findingsIn(files);
  expect(brief(found)).toEqual([`SHOULD RS-S8 ${WELL_KNOWN}:1`, `SHOULD RS-C6 ${CAPABILITIES}:1`]);
});

clause(['RS-S9', 'RS-C6'], 'a description that is not there, or says neither title nor author, is told', async () => {
  const { 'about.json': _, ...files } = shrine();
  expect(brief(await findingsIn(files))).toEqual([`SHOULD RS-S9 ${WELL_KNOWN}:2`, `SHOULD RS-C6 ${CAPABILITIES}:4`]);
  const empty = await findingsIn({ ...files, 'about.json': '{"x": 1}' });
  expect(brief(empty)).toEqual([`SHOULD RS-S9 ${WELL_KNOWN}:2`, `SHOULD RS-C6 ${CAPABILITIES}:4`]);
});

clause('RS-C1', 'a Capability List that is not there, or no XML, is told', async () => {
  const { [CAPABILITIES]: _, ...files } = shrine();
  expect(brief(await findingsIn(files))).toEqual([`MUST RS-C1 ${WELL_KNOWN}:4`]);
  const broken = await withEdit(CAPABILITIES, '</url>\n<url>', '</url>\n<url>\n<loc>a & b</loc>');
  expect(brief(broken)).toEqual([`MUST RS-C1 ${CAPABILITIES}:11`]);
  expect(broken[0]).toMatchObject({
    seen: expect.stringContaining('<loc>a & b</loc>'),
    remedy: expect.stringContaining('&amp;'),
  });
});

clause('RS-C2', 'a Capability List without a link upwards is told', async () => {
  const found = await withEdit(
    CAPABILITIES,
    '<rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>',
    '',
  );
  expect(brief(found)).toEqual([`MUST RS-C2 ${CAPABILITIES}:1`]);
  expect(found[0]?.remedy).toContain('<rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>');
});

clause('RS-C3', 'a link upwards must lead to a Source Description that lists the Capability List', async () => {
  const files = shrine();
  files[CAPABILITIES] = String(files[CAPABILITIES]).replace('/.well-known/resourcesync', '/description.xml');
  expect(brief(await findingsIn(files))).toEqual([`MUST RS-C3 ${CAPABILITIES}:2`]);
  expect(await findingsIn({ ...files, 'description.xml': files[WELL_KNOWN] ?? '' })).toEqual([]);
  const other = String(files[WELL_KNOWN]).replace('my-shrine/capabilitylist.xml', 'other.xml');
  const found = await findingsIn({ ...files, 'description.xml': other });
  expect(found).toMatchObject([
    { clause: 'RS-C3', remedy: 'Write: <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>' },
  ]);
});

clause('RS-C4', 'a Capability List that does not say what it describes is told', async () => {
  const found = await withEdit(CAPABILITIES, '<rs:ln rel="describes" href="https://example.com/my-shrine/"/>', '');
  expect(brief(found)).toEqual([`MUST RS-C4 ${CAPABILITIES}:1`]);
});

clause('RS-C7', 'a Capability List of another kind is told', async () => {
  const none = await withEdit(CAPABILITIES, '<rs:md capability="capabilitylist"/>', '');
  expect(brief(none)).toEqual([`MUST RS-C7 ${CAPABILITIES}:1`]);
  const other = await withEdit(CAPABILITIES, '"capabilitylist"', '"resourcelist"');
  expect(brief(other)).toEqual([`MUST RS-C7 ${CAPABILITIES}:5`]);
  const files = shrine();
  files[CAPABILITIES] = String(files[CAPABILITIES]).replaceAll('urlset', 'sitemapindex');
  expect(brief(await findingsIn(files))).toEqual([`MUST RS-C7 ${CAPABILITIES}:1`]);
});

clause('RS-C8', 'no Change List and two Change Lists are told', async () => {
  const none = await withEdit(CAPABILITIES, '"changelist"', '"changedump"');
  expect(brief(none)).toEqual([`MUST RS-C8 ${CAPABILITIES}:1`, `MUST RESOURCESYNC-KIND ${CHANGES}:3`]);
  const two = await withEdit(CAPABILITIES, '"resourcelist"', '"changelist"');
  expect(brief(two)).toContain(`MUST RS-C8 ${CAPABILITIES}:10`);
});

clause('RS-L1', 'a Change List that is not there is told', async () => {
  const { [CHANGES]: _, ...files } = shrine();
  expect(brief(await findingsIn(files))).toEqual([`MUST RS-L1 ${CAPABILITIES}:6`]);
});

clause(['RS-L2', 'RS-L3'], 'a Change List without a link to its Capability List is told', async () => {
  const up = '<rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>';
  expect(brief(await withEdit(CHANGES, up, ''))).toEqual([`MUST RS-L2 ${CHANGES}:1`]);
  const other = await withEdit(
    CHANGES,
    'href="https://example.com/my-shrine/capabilitylist.xml"',
    'href="https://example.com/"',
  );
  expect(brief(other)).toEqual([`MUST RS-L3 ${CHANGES}:2`]);
  expect(other[0]?.remedy).toBe(`Write: ${up}`);
});

clause('RS-L4', 'a Change List of another kind is told', async () => {
  expect(brief(await withEdit(CHANGES, '"changelist"', '"changes"'))).toEqual([`MUST RS-L4 ${CHANGES}:3`]);
  expect(brief(await withEdit(CHANGES, '"changelist"', '"resourcelist"'))).toEqual([`MUST RS-L4 ${CHANGES}:3`]);
});

clause(
  ['RS-L5', 'RS-L6'],
  'a Change List without a date from which it counts, or that ends before it, is told',
  async () => {
    expect(brief(await withEdit(CHANGES, ' from="2022-01-01T00:00:00Z"', ''))).toEqual([`MUST RS-L5 ${CHANGES}:3`]);
    expect(brief(await withEdit(CHANGES, '2022-01-01T00:00:00Z', '2022-02-30'))).toEqual([`MUST RS-L5 ${CHANGES}:3`]);
    expect(await withEdit(CHANGES, 'Z"/>', 'Z" until="2022-12-01T00:00:00Z"/>')).toEqual([]);
    const reversed = await withEdit(CHANGES, 'Z"/>\n<url>', 'Z" until="2021-12-01T00:00:00Z"/>\n<url>');
    expect(brief(reversed)).toContain(`MUST RS-L6 ${CHANGES}:3`);
  },
);

clause('RS-L7', 'a change of no known kind is told, with the kind that is meant', async () => {
  const found = await withEdit(CHANGES, '"updated"', '"modified"');
  expect(brief(found)).toEqual([`MUST RS-L7 ${CHANGES}:6`]);
  expect(found[0]?.remedy).toBe('Write: <rs:md change="updated" datetime="2022-11-06T10:00:00Z"/>');
  expect(brief(await withEdit(CHANGES, 'change="updated" ', ''))).toEqual([`MUST RS-L7 ${CHANGES}:6`]);
  const none = await withEdit(CHANGES, '<rs:md change="updated" datetime="2022-11-06T10:00:00Z"/>', '');
  expect(brief(none)).toEqual([`MUST RS-L7 ${CHANGES}:4`]);
});

clause('RS-L8', 'a change without a time is told, also where it has a lastmod', async () => {
  expect(brief(await withEdit(CHANGES, ' datetime="2022-11-06T10:00:00Z"', ''))).toEqual([`MUST RS-L8 ${CHANGES}:6`]);
  expect(brief(await withEdit(CHANGES, '2022-11-06T10:00:00Z', 'yesterday'))).toEqual([`MUST RS-L8 ${CHANGES}:6`]);
});

clause('RS-L9', 'a change without an absolute address is told, with the address that is meant', async () => {
  const found = await withEdit(CHANGES, 'https://example.com/my-shrine/</loc>', '/my-shrine/</loc>');
  expect(brief(found)).toEqual([`MUST RS-L9 ${CHANGES}:5`]);
  expect(found[0]?.remedy).toBe('Write: <loc>https://example.com/my-shrine/</loc>');
  expect(brief(await withEdit(CHANGES, '<loc>https://example.com/my-shrine/</loc>', ''))).toEqual([
    `MUST RS-L9 ${CHANGES}:4`,
  ]);
});
