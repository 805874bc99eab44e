import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { surfaceDiff } from '../src/cli/commands/surface-diff.ts';
import { surfaceWatch } from '../src/cli/commands/surface-watch.ts';
import { exitCodeOf } from '../src/cli/exit-code.ts';
import type { Verb } from '../src/cli/verb.ts';
import type { World } from '../src/cli/world.ts';
import { newSigningKey } from '../src/doors/surface.ts';
import { TidingsError } from '../src/errors/tidings-error.ts';
import { temporaryFolder } from './support/site.ts';
import { respond, startOriginServer } from './torture/origin-server.ts';

const PAIRS = 'test/surface-pairs';
const ORDERS = `${PAIRS}/pairs/orders-draft-example`;
const OLD = readFileSync(`${ORDERS}/old.json`, 'utf8');
const NEW = readFileSync(`${ORDERS}/new.json`, 'utf8');
const ID = 'rest:GET:/orders/{}';

test('diff prints what changed, what a rename may be, and the line that publishes it', async () => {
  const { code, printed } = await call(surfaceDiff, [`${ORDERS}/old.json`, `${ORDERS}/new.json`]);
  expect(code).toBe(0);
  expect(printed[0]).toBe(`${ID}: changed, breaking`);
  expect(printed).toEqual(expect.arrayContaining(['  + /currency', '  + /total', '  - /amount']));
  expect(printed.join('\n')).toMatch(/\/amount may be called \/total now \(0\.\d+\); if so: --rename \/amount=\/total/);
  expect(printed.join('\n')).toContain(
    `--endpoint-id '${ID}' --from 1.0 --to 1.1 --old ${ORDERS}/old.json --new ${ORDERS}/new.json`,
  );
  expect(printed.at(-1)).toBe('1 changed, 0 added, 0 removed, 0 the same');
});

test('an API that only moved is one to announce, not to migrate', async () => {
  using folder = temporaryFolder();
  const at = (url: string) => JSON.stringify({ ...JSON.parse(OLD), servers: [{ url }] });
  folder.write({ 'old.json': at('https://a.example'), 'new.json': at('https://b.example') });
  const { printed } = await call(surfaceDiff, [join(folder.path, 'old.json'), join(folder.path, 'new.json')]);
  expect(printed.join('\n')).toContain('? tidings surface announce');
  expect(printed.join('\n')).not.toContain('tidings surface change');
});

test('a rename counts when it is stated or confirmed, and is refused when it does not fit', async () => {
  const files = [`${ORDERS}/old.json`, `${ORDERS}/new.json`];
  const stated = await call(surfaceDiff, [...files, '--json', '--rename', '/amount=/total']);
  const confirmed = await call(surfaceDiff, [...files, '--json', '--interactive'], { ask: async () => 'y' });
  const denied = await call(surfaceDiff, [...files, '--json', '--interactive'], { ask: async () => '' });
  const migration = { add: ['/currency'], rename: { '/amount': '/total' } };
  expect(JSON.parse(stated.printed[0] ?? '').operations[0].migration).toEqual(migration);
  expect(JSON.parse(confirmed.printed[0] ?? '').operations[0].migration).toEqual(migration);
  expect(JSON.parse(denied.printed[0] ?? '').operations[0].migration.rename).toBeUndefined();
  const unfit = await call(surfaceDiff, [...files, '--rename', '/id=/total']);
  expect(unfit).toMatchObject({ code: 2, printed: [] });
  expect(unfit.complaints[0]).toContain('/id=/total is refused');
  expect((await call(surfaceDiff, [...files, '--interactive'])).code).toBe(2);
});

test('what could not be compared ends with 3, and the rest is printed', async () => {
  const folder = `${PAIRS}/refused/remote-ref`;
  const { code, printed, complaints } = await call(surfaceDiff, [`${folder}/old.json`, `${folder}/new.json`]);
  expect(code).toBe(3);
  expect(complaints[0]).toContain('rest:GET:/things could not be compared');
  expect(complaints[0]).toContain('/paths/~1things/get/responses/200/content/application~1json/schema/properties/a');
  expect(printed.at(-1)).toContain('1 could not be compared');
  const html = `${PAIRS}/refused/html/new.txt`;
  expect((await call(surfaceDiff, [`${ORDERS}/old.json`, html])).code).toBe(3);
  expect((await call(surfaceDiff, [`${ORDERS}/old.json`, 'no-such-file.json'])).code).toBe(3);
});

test('--fail-on-breaking and --operation', async () => {
  const files = [`${ORDERS}/old.json`, `${ORDERS}/new.json`];
  expect((await call(surfaceDiff, [...files, '--fail-on-breaking'])).code).toBe(1);
  expect((await call(surfaceDiff, [`${ORDERS}/old.json`, `${ORDERS}/old.json`, '--fail-on-breaking'])).code).toBe(0);
  const unknown = await call(surfaceDiff, [...files, '--operation', 'GET /nothing']);
  expect(unknown.code).toBe(2);
  expect(unknown.complaints[0]).toContain(ID);
  expect((await call(surfaceDiff, [...files, '--operation', 'GET /orders/{orderId}'])).code).toBe(0);
});

test('descriptions come from URLs, too; an error page is no description', async () => {
  await using server = await startOriginServer((socket, { path }) =>
    respond(socket, path === '/openapi.json' ? { body: NEW } : { status: 500, body: NEW }),
  );
  const old = `${ORDERS}/old.json`;
  const { code, printed } = await call(surfaceDiff, [old, `${server.origin}openapi.json`, '--allow-private', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(printed[0] ?? '').versions).toEqual({ old: '1.0', new: '1.1' });
  expect((await call(surfaceDiff, [old, `${server.origin}broken`, '--allow-private'])).code).toBe(3);
  expect((await call(surfaceDiff, [old, `${server.origin}openapi.json`])).code).toBe(2);
});

test('watch remembers, tells a change until it is accepted, and takes half a file for no change', async () => {
  using folder = temporaryFolder();
  const [file, state] = [join(folder.path, 'openapi.json'), join(folder.path, 'state.json')];
  const look = (...options: string[]) => call(surfaceWatch, [file, '--state', state, '--once', '--json', ...options]);
  folder.write({ 'openapi.json': OLD });
  expect(await look()).toMatchObject({
    code: 0,
    printed: [],
    complaints: [expect.stringContaining('nothing is compared')],
  });
  expect(await look()).toMatchObject({
    code: 0,
    printed: [],
    complaints: [expect.stringContaining('Nothing changed')],
  });
  folder.write({ 'openapi.json': NEW.slice(0, -20) });
  expect(await look()).toMatchObject({ code: 3, printed: [] });
  folder.write({ 'openapi.json': '{"openapi":"3.0.0","info":{"title":"t","version":"2"},"paths":{}}' });
  const empty = await look();
  expect(empty).toMatchObject({ code: 3, printed: [] });
  expect(empty.complaints[0]).toContain('--accept');
  folder.write({ 'openapi.json': NEW });
  const { printed } = await look('--rename', '/amount=/total');
  expect(printed.map((line) => JSON.parse(line))).toMatchObject([
    { endpointId: ID, status: 'changed', migration: { add: ['/currency'], rename: { '/amount': '/total' } } },
  ]);
  expect((await look()).printed).toHaveLength(1);
  expect(await look('--accept')).toMatchObject({ code: 0, printed: [] });
  expect(await look()).toMatchObject({ code: 0, printed: [] });
});

test('watch keeps what it cannot compare for later, until it is told to accept it', async () => {
  using folder = temporaryFolder();
  const [file, state] = [join(folder.path, 'api.json'), join(folder.path, 'state.json')];
  const look = (...options: string[]) => call(surfaceWatch, [file, '--state', state, '--once', ...options]);
  const refused = `${PAIRS}/refused/one-of-objects`;
  folder.write({ 'api.json': readFileSync(`${refused}/old.json`, 'utf8') });
  await look();
  folder.write({ 'api.json': readFileSync(`${refused}/new.json`, 'utf8') });
  expect((await look()).code).toBe(3);
  expect((await look()).code).toBe(3);
  expect(await look('--accept')).toMatchObject({ code: 0, printed: [] });
  expect(await look()).toMatchObject({ code: 0, printed: [] });
  const other = await call(surfaceWatch, [`${ORDERS}/old.json`, '--state', state, '--once']);
  expect(other).toMatchObject({ code: 2 });
});

test('watch --publish signs one entry, with the versions of the descriptions', async () => {
  using folder = temporaryFolder();
  const [file, state, key] = ['openapi.json', 'state.json', 'key.json'].map((name) => join(folder.path, name));
  const dir = join(folder.path, 'site');
  await newSigningKey({ key: key ?? '' });
  const target = ['--publish', '--dir', dir, '--site', 'https://api.example/', '--key', key ?? ''];
  const look = (...options: string[]) =>
    call(surfaceWatch, [file ?? '', '--state', state ?? '', '--once', '--json', ...target, ...options]);
  folder.write({ 'openapi.json': OLD, 'site/index.html': 'x' });
  await look('--endpoint-id', 'orders-api');
  folder.write({ 'openapi.json': NEW });
  const { code, printed } = await look('--endpoint-id', 'orders-api', '--rename', '/amount=/total');
  expect(code).toBe(0);
  expect(JSON.parse(printed[0] ?? '').entryId).toMatch(/^urn:/);
  const feed = readFileSync(join(dir, '.well-known/agent-feed.xml'), 'utf8');
  expect(feed).toContain('"migration":{"add":["/currency"],"rename":{"/amount":"/total"}},"to-version":"1.1"');
  expect(await look()).toMatchObject({ code: 0, printed: [] });
  folder.write({ 'openapi.json': NEW.replace('"currency"', '"coin"').replace('"currency"', '"coin"') });
  const unversioned = await look('--endpoint-id', 'orders-api', '--as-is');
  expect(unversioned).toMatchObject({ code: 2, printed: [] });
  expect(unversioned.complaints[0]).toContain('both say version 1.1');
});

test('watch ends with the signal, and says a problem once', async () => {
  using folder = temporaryFolder();
  folder.write({ 'api.json': 'nothing' });
  const stop = new AbortController();
  const complain = (line: string, lines: string[]) => {
    lines.push(line);
    stop.abort();
  };
  const state = join(folder.path, 'state.json');
  const ended = await call(surfaceWatch, [join(folder.path, 'api.json'), '--state', state, '--every', '10s'], {
    signal: stop.signal,
    complain,
  });
  expect(ended).toMatchObject({ code: 0, printed: [] });
  expect(ended.complaints).toHaveLength(1);
});

interface Ended {
  readonly code: number;
  readonly printed: readonly string[];
  readonly complaints: readonly string[];
}

type Special = Partial<Pick<World, 'ask' | 'signal'>> & { complain?: (line: string, lines: string[]) => void };

async function call(verb: Verb, args: readonly string[], { complain, ...special }: Special = {}): Promise<Ended> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const world: World = {
    print: async (line) => void printed.push(line),
    complain: (line) => (complain === undefined ? void complaints.push(line) : complain(line, complaints)),
    status: () => {},
    isTerminal: false,
    version: '0',
    env: {},
    signal: new AbortController().signal,
    ...special,
  };
  const command = new Command().exitOverride();
  verb.configure(command);
  command.parse(args, { from: 'user' });
  try {
    return { code: await verb.run(command.args, command.opts(), world), printed, complaints };
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    return { code: exitCodeOf(error), printed, complaints: [...complaints, error.message] };
  }
}
