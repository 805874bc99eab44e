import { expect, test } from 'vitest';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';
import { run } from '../run.ts';

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['https://host.example/docs/', [], ['ai-changefeed', 'diffdelta.json']],
  ['https://host.example/docs/', ['--formats', 'aicf'], ['ai-changefeed']],
  ['https://host.example/docs/', ['--formats', 'diffdelta'], ['diffdelta.json']],
  ['https://host.example/', [], []],
])('of %s %j it is said what belongs to the root of the host', async (site, options, names) => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': htmlPage('Home', [{ heading: 'First', text: 'One.' }]) });
  const { code, complaints } = await publish(folder.path, '--site', site, ...options);
  expect(code).toBe(0);
  const wanted = names.map((name) => `https://host.example/.well-known/${name}`).join(' and ');
  const ours = names.map((name) => `.well-known/${name}`).join(' and ');
  const hint = `tidings: followers look for ${wanted}. Serve this site's ${ours} there, too.`;
  expect(complaints).toEqual(names.length === 0 ? [] : [hint]);
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

async function publish(...args: string[]) {
  const complaints: string[] = [];
  const world = {
    env: {},
    config: { file: 'tidings.config.json', folder: '/', value: {} },
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async () => {},
    complain: (line: string) => void complaints.push(line),
    status: () => {},
  };
  return { code: await run(['publish', ...args], world), complaints };
}
