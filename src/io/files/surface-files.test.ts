import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { createFileSurfaceFiles } from './surface-files.ts';

const FEED = '/.well-known/agent-feed.xml';
const CARD = '/.well-known/agent-card.json';
const file = (path: string) => path.slice(1);

const feedOf = (title: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title></feed>\n`;

async function textOf(read: ReturnType<ReturnType<typeof createFileSurfaceFiles>['read']>): Promise<string> {
  const found = await read;
  return typeof found === 'string' ? found : Buffer.from(found.bytes).toString();
}

test('a file is read again when it is another one, and only then', async () => {
  using folder = temporaryFolder();
  const files = createFileSurfaceFiles(folder.path);
  expect(await files.read(FEED)).toBe('missing');
  folder.write({ [file(FEED)]: feedOf('one') });
  const first = await files.read(FEED);
  expect(await files.read(FEED)).toBe(first);
  folder.write({ [file(FEED)]: feedOf('two') });
  expect(await textOf(files.read(FEED))).toBe(feedOf('two'));
  folder.remove(file(FEED));
  expect(await files.read(FEED)).toBe('missing');
});

test.each([
  [FEED, ['', '<feed xmlns="http://www.w3.org/2005/Atom"><title>on'], feedOf('one')],
  [CARD, ['', '{"name":', '"a text"'], '{"name":"api"}'],
] as const)('%s in part is not served; what was whole before it is', async (path, parts, whole) => {
  for (const part of parts) {
    using folder = temporaryFolder();
    const files = createFileSurfaceFiles(folder.path);
    folder.write({ [file(path)]: part });
    expect(await files.read(path)).toBe('unsettled');
    folder.write({ [file(path)]: whole });
    expect(await textOf(files.read(path))).toBe(whole);
    folder.write({ [file(path)]: part });
    expect(await textOf(files.read(path))).toBe(whole);
  }
});

test('a folder in its place is not served', async () => {
  using folder = temporaryFolder();
  folder.write({ [`${file(CARD)}/x`]: '' });
  expect(await createFileSurfaceFiles(folder.path).read(CARD)).toBe('unsettled');
});

/** A clock that stands until it is moved, and what is said to the operator. */
function watched(folder: string) {
  const at = { ms: 0 };
  const troubles: string[] = [];
  const files = createFileSurfaceFiles(folder, {
    now: () => at.ms,
    onTrouble: (path, reason) => troubles.push(`${path}: ${reason}`),
  });
  return { at, troubles, files };
}

const terminated = (more = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:af="https://agent-feed.dev/ns/v0"><af:feed-status>terminated</af:feed-status></feed>${more}`;

test('a whole feed is served whatever stands behind it, and one that is not never hides behind the old one for long', async () => {
  using folder = temporaryFolder();
  const { at, troubles, files } = watched(folder.path);
  folder.write({ [file(FEED)]: feedOf('active') });
  await files.read(FEED);
  const whole = terminated(`\n<!-- ${'x'.repeat(2000)} -->\n`);
  folder.write({ [file(FEED)]: whole });
  expect(await textOf(files.read(FEED))).toBe(whole);

  folder.write({ [file(FEED)]: `${terminated()}<feed>` });
  expect(await textOf(files.read(FEED))).toBe(whole);
  at.ms += 4999;
  expect(await textOf(files.read(FEED))).toBe(whole);
  expect(troubles).toEqual([]);
  // One that goes on changing does not begin anew.
  folder.write({ [file(FEED)]: `${terminated()}<feed><` });
  at.ms += 1;
  expect(await files.read(FEED)).toBe('unsettled');
  expect(await files.read(FEED)).toBe('unsettled');
  expect(troubles).toEqual([expect.stringMatching(/^\/\.well-known\/agent-feed\.xml: ./)]);

  folder.write({ [file(FEED)]: terminated() });
  expect(await textOf(files.read(FEED))).toBe(terminated());
  folder.write({ [file(FEED)]: '<feed' });
  expect(await textOf(files.read(FEED))).toBe(terminated());
});

test('a file that is too large or that may not be read is not hidden by the old one for long', async () => {
  using folder = temporaryFolder();
  const { at, troubles, files } = watched(folder.path);
  folder.write({ [file(FEED)]: feedOf('active') });
  await files.read(FEED);
  truncateSync(join(folder.path, file(FEED)), 65 * 1024 * 1024);
  expect(await textOf(files.read(FEED))).toBe(feedOf('active'));
  at.ms += 5000;
  expect(await files.read(FEED)).toBe('unsettled');
  expect(troubles).toEqual([expect.stringContaining('more than')]);
});
