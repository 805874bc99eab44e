import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  brief,
  CAPABILITIES,
  CHANGES,
  type Files,
  findingsIn,
  folderOf,
  lines,
  PAGE,
  RESOURCES,
  ROOT,
  shrine,
  WELL_KNOWN,
  withEdit,
} from '../../test/support/check-resourcesync-site.ts';
import { type BuiltFile, buildZip } from '../../test/support/zip-builder.ts';
import { checkReport } from './check.ts';

const DUMP = 'my-shrine/resourcedump.xml';
const SITE = 'https://example.com/my-shrine/';

/** The site with a Resource Dump of these packages. */
function dumped(
  packages: Readonly<Record<string, Buffer | undefined>>,
  claims = (bytes: Buffer) => trueOf(bytes),
): Files {
  const files = shrine();
  const offer = `<url>\n<loc>https://example.com/${DUMP}</loc>\n<rs:md capability="resourcedump"/>\n</url>\n</urlset>`;
  const entries = Object.entries(packages).map(([name, bytes = Buffer.alloc(0)]) =>
    ['<url>', `<loc>https://example.com/my-shrine/${name}</loc>`, `<rs:md ${claims(bytes)}/>`, '</url>'].join('\n'),
  );
  const there = Object.entries(packages).flatMap(([name, bytes]) => (bytes ? [[`my-shrine/${name}`, bytes]] : []));
  return {
    ...files,
    [CAPABILITIES]: String(files[CAPABILITIES]).replace('</urlset>', offer),
    [DUMP]: lines(
      ROOT,
      '<rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>',
      '<rs:md capability="resourcedump" at="2022-11-06T10:00:00Z"/>',
      ...entries,
      '</urlset>',
    ),
    ...Object.fromEntries(there),
  };
}

const trueOf = (bytes: Buffer) => `hash="sha-256:${hash('sha256', bytes)}" length="${bytes.length}"`;

function packageOf(capability = 'resourcedump-manifest', length = PAGE.length): Buffer {
  const change = capability === 'changedump-manifest' ? ' change="deleted" datetime="2022-11-06T10:00:00Z"' : '';
  const entry = `<url><loc>${SITE}</loc><rs:md path="/a.html" length="${length}"${change}/></url>`;
  const manifest: BuiltFile = {
    name: 'manifest.xml',
    content: `${ROOT}<rs:md capability="${capability}" at="2022-11-06T10:00:00Z" from="2022-01-01T00:00:00Z"/>${entry}</urlset>`,
  };
  return buildZip([manifest, { name: 'a.html', content: PAGE }]);
}

test('packages of a dump are read: what is not there, other bytes, and what a manifest says that is not so are told', async () => {
  expect(await findingsIn(dumped({ 'a.zip': packageOf(), 'b.zip': packageOf() }))).toEqual([]);
  const found = await findingsIn(
    dumped({
      'good.zip': packageOf(),
      'gone.zip': undefined,
      'lies.zip': packageOf(undefined, 7),
      'changes.zip': packageOf('changedump-manifest'),
      'text.zip': Buffer.from('Hello'),
    }),
  );
  expect(found.map(({ clause, where, seen }) => `${clause} ${where} ${seen.replaceAll(SITE, '')}`)).toEqual([
    `RESOURCESYNC-AUDIT ${DUMP}:8 gone.zip is in the list and is not there. There is no such file.`,
    `RESOURCESYNC-AUDIT ${DUMP}:12 lies.zip: : the file has ${PAGE.length} bytes, not 7.`,
    `RESOURCESYNC-AUDIT ${DUMP}:16 changes.zip: The manifest does not name a.html.`,
    `RESOURCESYNC-AUDIT ${DUMP}:16 changes.zip: its manifest is a changedump-manifest, and the list a resourcedump.`,
    expect.stringMatching(/:20 text\.zip: The package is refused: It is no ZIP archive/),
  ]);
  const other = await findingsIn(dumped({ 'a.zip': packageOf() }, () => `hash="sha-256:${'0'.repeat(64)}"`));
  expect(other).toMatchObject([
    { clause: 'RESOURCESYNC-AUDIT', seen: expect.stringContaining('its bytes have sha-256:') },
  ]);
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}.zip`, packageOf()]));
  const { findings, notes } = await checkReport(await folderOf(dumped(many)), { spec: 'resourcesync' });
  expect([findings, notes]).toEqual([[], ['Of 25 packages in the dumps 20 were looked at.']]);
});

test('a folder of that name in place of a Source Description is none', async () => {
  const { [WELL_KNOWN]: _, ...files } = shrine();
  const folder = await folderOf({ ...files, 'resourcesync/capabilitylist.xml': '<urlset/>' });
  for (const options of [{}, { spec: 'resourcesync' } as const]) {
    expect((await checkReport(folder, options)).findings).toMatchObject([
      {
        clause: 'RS-S1',
        seen: 'There is no such file.',
        remedy: expect.stringMatching(/^Serve a Source Description at/),
      },
    ]);
  }
});

test('a file whose name has a backslash is found', async () => {
  const { [RESOURCES]: list, ...files } = shrine();
  const entry = (name: string) =>
    `<url>\n<loc>https://example.com/my-shrine/${name}</loc>\n<rs:md length="${PAGE.length}"/>\n</url>\n`;
  const site = (...names: string[]) => ({
    ...files,
    'my-shrine/back\\slash.html': PAGE,
    [RESOURCES]: String(list).replace('</urlset>', `${names.map(entry).join('')}</urlset>`),
  });
  expect(await findingsIn(site('back%5Cslash.html'))).toEqual([]);
  const out = await findingsIn(site('..%5C..%5C..%5Cetc%5Cpasswd', '%5C%5Cserver%5Cshare'));
  expect(out.map(({ seen }) => seen)).toEqual(Array(2).fill(expect.stringContaining('is not there')));
});

test.each([RESOURCES, CHANGES])('a hash or a length that is none is told in %s', async (list) => {
  const md = list === RESOURCES ? ' type="text/html"/>' : ' datetime="2022-11-06T10:00:00Z"/>';
  const spoiled = (claims: string) =>
    list === RESOURCES
      ? withEdit(list, String(shrine()[list]).match(/ hash=".*?" length="\d+"/)?.[0] ?? '', ` ${claims}`)
      : withEdit(list, md, ` ${claims}${md}`);
  expect(brief(await spoiled('hash="md5:xyz"'))).toEqual([`MUST RESOURCESYNC-ENTRY ${list}:6`]);
  expect(brief(await spoiled('hash="crc:1" length="many"'))).toHaveLength(2);
});

test('pages of a folder that no Resource List has are named; error pages, redirects and other parts of the site are not', async () => {
  const moved = '<!doctype html><meta http-equiv="refresh" content="0; url=https://example.com/my-shrine/">';
  const entry = (path: string) => `<url>\n<loc>https://example.com/my-shrine/${path}</loc>\n</url>\n`;
  const listed = ['clean', 'with%20blank.html', 'deep/', '100%25.html'].map(entry).join('');
  const pages = ['clean.html', 'with blank.html', 'deep/index.html', '100%.html', '404.html', '../outside.html'];
  const files = {
    ...shrine(),
    [RESOURCES]: String(shrine()[RESOURCES]).replace('</urlset>', `${listed}</urlset>`),
    ...Object.fromEntries(pages.map((path) => [`my-shrine/${path}`, PAGE])),
    'my-shrine/moved.html': moved,
  };
  const notesOf = async (more: Files) =>
    (await checkReport(await folderOf({ ...files, ...more }), { spec: 'resourcesync' })).notes;
  expect(await notesOf({})).toBeUndefined();
  expect(await notesOf({ 'my-shrine/new.html': PAGE, 'my-shrine/x/index.html': PAGE })).toEqual([
    'In no Resource List, so that mirrors do not get it: my-shrine/new.html, my-shrine/x/index.html.',
  ]);
});
