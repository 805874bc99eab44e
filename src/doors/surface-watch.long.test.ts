import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { newSigningKey } from './surface.ts';
import { type SurfaceDraft, type SurfaceWatchOptions, watchSurface } from './surface-watch.ts';

const ORDERS = 'test/surface-pairs/pairs/orders-draft-example';
const OLD = readFileSync(`${ORDERS}/old.json`, 'utf8');
const NEW = readFileSync(`${ORDERS}/new.json`, 'utf8');
const RENAMES = { '/amount': '/total' };
const FEED = 'site/.well-known/agent-feed.xml';

test('a change stays pending, and is drafted again, until it is published', async () => {
  using at = await watched();
  expect(await at.look()).toEqual({ drafts: [], said: [expect.stringMatching(/remembered.*nothing is compared yet/)] });
  expect((await at.look()).said).toEqual([expect.stringMatching(/Nothing changed since \d{4}-\d\d-\d\dT/)]);
  at.folder.write({ 'api.json': NEW });
  const [first, second] = [await at.look(), await at.look()];
  expect(first.drafts).toMatchObject([{ status: 'changed' }]);
  expect(second.drafts).toEqual(first.drafts);
  expect(second.said).toEqual([expect.stringMatching(/until it is published \(--publish\) or .*--accept/)]);
  const published = await at.look({ publish: at.publish, renames: RENAMES });
  expect(published.drafts[0]?.entryId).toMatch(/^urn:/);
  expect((await at.look()).said).toEqual([expect.stringContaining('Nothing changed since')]);
});

test('--accept ends a pending change without an entry', async () => {
  using at = await watched();
  await at.look();
  at.folder.write({ 'api.json': NEW });
  await at.look();
  expect((await at.look({ accept: true })).drafts).toEqual([]);
  expect((await at.look({ publish: at.publish })).drafts).toEqual([]);
});

test('what may be a rename is not signed before somebody says what it is', async () => {
  using at = await watched();
  await at.look();
  at.folder.write({ 'api.json': NEW });
  await expect(at.look({ publish: at.publish })).rejects.toThrow(/--rename \/amount=\/total.*--as-is/s);
  expect(at.entries()).toBe(0);
  expect((await at.look({ publish: at.publish, isAsIs: true })).drafts[0]?.migration?.remove).toEqual(['/amount']);
});

test('an entry that was signed before a crash is not signed again', async () => {
  using at = await watched();
  await at.look();
  at.folder.write({ 'api.json': NEW });
  const before = at.folder.read('state.json');
  const published = await at.look({ publish: at.publish, renames: RENAMES });
  // As if it had ended between the signature and its own note of it.
  at.folder.write({ 'state.json': before });
  const again = await at.look({ publish: at.publish, renames: RENAMES });
  expect(at.entries()).toBe(1);
  expect(again.drafts[0]?.entryId).toBe(published.drafts[0]?.entryId);
});

test('what no entry of a watch can say is left to its publisher, aloud', async () => {
  using at = await watched();
  await at.look();
  const { paths, ...rest } = JSON.parse(OLD);
  at.folder.write({
    'api.json': JSON.stringify({ ...rest, paths: { ...paths, '/carts': { get: { responses: {} } } } }),
  });
  const { said } = await at.look({ publish: at.publish });
  expect(said).toEqual([expect.stringContaining('rest:GET:/carts (added)')]);
});

test('a description that nothing can be signed of is a problem, and the watch goes on', async () => {
  using at = await watched();
  await at.look();
  at.folder.write({ 'api.json': NEW.replaceAll('"total"', '"total\\uffff"') });
  const problems: string[] = [];
  const { signal, abort } = endable();
  const onProblem = (message: string) => {
    problems.push(message);
    abort();
  };
  await at.look({ once: false, everyMs: 1, signal, publish: at.publish, isAsIs: true, onProblem });
  expect(problems).toEqual([expect.stringContaining('U+FFFF')]);
  expect(at.entries()).toBe(0);
});

function endable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function watched() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  folder.write({ 'api.json': OLD, 'site/index.html': 'x' });
  await newSigningKey({ key: at('key.json') });
  const target = { dir: at('site'), site: 'https://api.example/', key: at('key.json') };
  return {
    folder,
    publish: { target, endpointId: 'orders-api' },
    entries: () => (folder.fingerprint()[FEED] === undefined ? 0 : folder.read(FEED).split('<entry>').length - 1),
    look: async (options: Partial<SurfaceWatchOptions> = {}) => {
      const said: string[] = [];
      const drafts: SurfaceDraft[] = [];
      const where = { where: at('api.json'), state: at('state.json'), signal: new AbortController().signal };
      const onNotice = (message: string) => void said.push(message);
      for await (const draft of watchSurface({ ...where, once: true, onNotice, ...options })) drafts.push(draft);
      return { drafts, said };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
