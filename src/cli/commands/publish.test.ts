import { expect, test } from 'vitest';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';
import { run } from '../run.ts';

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['https://host.example/docs/', [], ['ai-changefeed', 'diffdelta.json', 'resourcesync']],
  ['https://host.example/docs/', ['--formats', 'aicf'], ['ai-changefeed']],
  ['https://host.example/docs/', ['--formats', 'diffdelta'], ['diffdelta.json']],
  ['https://host.example/docs/', ['--formats', 'atom'], []],
  ['https://host.example/', [], []],
])('of %s %j it is said what belongs to the root of the host', async (site, options, names) => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': htmlPage('Home', [{ heading: 'First', text: 'One.' }]) });
  const { code, complaints } = await publish(folder.path, '--site', site, ...options);
  expect(code).toBe(0);
  const wanted = names.map((name) => `https://host.example/.well-known/${name}`).join(' and ');
  const ours = names.map((name) => `.well-known/${name}`).join(' and ');
  const hint = `tidings: followers look for ${wanted}. Serve this site's ${ours} there, too.`;
  const hints = complaints.filter((line) => !line.startsWith('tidings: You may '));
  expect(hints).toEqual(names.length === 0 ? [] : [hint]);
});

test('an archive that was altered is said aloud', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': htmlPage('Home', [{ heading: 'First', text: 'One.' }]) });
  await publish(folder.path, '--site', 'https://host.example/');
  const archive = Object.keys(folder.fingerprint()).find((path) => path.startsWith('archive/_global/')) ?? '';
  folder.write({ [archive]: '{}' });
  const { code, complaints } = await publish(folder.path, '--site', 'https://host.example/');
  expect(code).toBe(3);
  expect(complaints).toEqual([expect.stringContaining(`${archive} has other bytes than were published.`)]);
});

test('what lists are made of is told by flags, else by the settings; what to add by hand is said once', async () => {
  using folder = temporaryFolder();
  const page = htmlPage('Page', [{ heading: 'First', text: 'One.' }]);
  folder.write({ 'index.html': page, 'cats/index.html': page, 'dogs/index.html': page });
  const settings = { title: 'Animals', collections: ['/dogs/'], listEntries: 1, sitemap: true };
  const flags = ['--site', 'https://host.example/', '--formats', 'resourcesync'];
  const first = await publishWith(settings, folder.path, ...flags, '--collection', '/cats/=Cats', '--author', 'Ann');
  expect(first.code).toBe(0);
  expect(first.complaints.join('\n')).toContain('Sitemap: https://host.example/resourcesync/cats/resourcelist.xml');
  expect(JSON.parse(folder.read('resourcesync/cats/about.json'))).toMatchObject({
    name: 'Cats',
    author: { name: 'Ann' },
  });
  expect(JSON.parse(folder.read('resourcesync/about.json'))).toMatchObject({ name: 'Animals' });
  const names = Object.keys(folder.fingerprint());
  expect(names).toEqual(expect.arrayContaining(['resourcesync/changelist-1.xml', 'resourcesync/sitemap.xml']));
  expect(names.filter((name) => name.startsWith('resourcesync/dogs/'))).toEqual([]);

  const second = await publishWith(settings, folder.path, ...flags);
  expect(second).toEqual({ code: 0, complaints: [] });
  expect(folder.read('.well-known/resourcesync')).toContain('resourcesync/description-');
  expect(Object.keys(folder.fingerprint())).toContain('resourcesync/dogs/capabilitylist.xml');
  expect((await publishWith({}, folder.path, ...flags, '--list-entries', '50001')).code).toBe(2);
});

test.each<readonly [string, unknown, readonly string[], boolean]>([
  ['neither', {}, [], true],
  ['the flag', {}, ['--no-excerpts'], false],
  ['the setting', { excerpts: false }, [], false],
  ['the flag against the setting', { excerpts: true }, ['--no-excerpts'], false],
])('texts of pages are kept out by %s: %j %j', async (_, settings, flags, isTold) => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': htmlPage('Home', [{ heading: 'First', text: 'A text of the page.' }]) });
  expect((await publishWith(settings, folder.path, '--site', 'https://host.example/', ...flags)).code).toBe(0);
  expect(folder.read('.well-known/tidings/log.ndjson').includes('A text of the page.')).toBe(isTold);
});

test.each<readonly [string, unknown, readonly string[], readonly string[]]>([
  ['neither', {}, [], ['Kept.', 'Left.', 'Logged.']],
  ['flags', {}, ['--ignore', '.x', '--ignore', '/log/**'], ['Kept.']],
  ['the settings', { ignore: ['.x', '/log/**'] }, [], ['Kept.']],
  ['a flag instead of the setting', { ignore: ['p'] }, ['--ignore', '.x'], ['Kept.', 'Logged.']],
  ['what is read alone', { ignore: ['/log/**'] }, ['--only', '.x'], ['Left.']],
])('pages and elements are left out by %s: %j %j', async (_, settings, flags, told) => {
  using folder = temporaryFolder();
  const page = '<main><h1>Home</h1><p>Kept.</p><p class="x">Left.</p></main>';
  folder.write({ 'index.html': page, 'log/index.html': '<main><h1>Log</h1><p>Logged.</p></main>' });
  expect((await publishWith(settings, folder.path, '--site', 'https://host.example/', ...flags)).code).toBe(0);
  const log = folder.read('.well-known/tidings/log.ndjson');
  expect(['Kept.', 'Left.', 'Logged.'].filter((text) => log.includes(text))).toEqual(told);
});

test.each<readonly [unknown, readonly string[], RegExp]>([
  [{}, ['--ignore', 'p:hover'], /ignore "p:hover" is refused\./],
  [{}, ['--only', '/a/**b'], /only "\/a\/\*\*b" is refused\./],
  [{ ignore: ['p', 'h1 + p'] }, [], /tidings\.config\.json: ignore\[1\] "h1 \+ p" is refused\./],
])('a wrong rule is named and nothing is done: %j %j', async (settings, flags, message) => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': '<p>One.</p>' });
  const { code, complaints } = await publishWith(settings, folder.path, '--site', 'https://host.example/', ...flags);
  expect(code).toBe(2);
  expect(complaints.join('\n')).toMatch(message);
  expect(Object.keys(folder.fingerprint())).toEqual(['index.html']);
});

function publish(...args: string[]) {
  return publishWith({}, ...args);
}

async function publishWith(value: unknown, ...args: string[]) {
  const complaints: string[] = [];
  const world = {
    env: {},
    config: { file: 'tidings.config.json', folder: '/', value },
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async () => {},
    complain: (line: string) => void complaints.push(line),
    status: () => {},
  };
  return { code: await run(['publish', ...args], world), complaints };
}
