import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import { announceEndpoint, newSigningKey } from '../../doors/surface.ts';
import { run } from '../run.ts';

const SITE = 'https://api.example/';
const FEED = 'site/.well-known/agent-feed.xml';
const RECORD = 'site/.well-known/tidings/surface.ndjson';

/** A site with one endpoint, `a`, and a person who types. */
async function terminal(ask?: (question: string) => Promise<string>) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await newSigningKey({ key: at('key.json') });
  const target = { dir: at('site'), site: SITE, key: at('key.json') };
  await announceEndpoint(target, { endpointId: 'a', endpoint: '/a', protocol: 'rest', version: '1' });
  const tidings = async (...args: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const world = {
      env: {},
      isTerminal: ask !== undefined,
      version: '0.0.0',
      signal: new AbortController().signal,
      print: async (line: string) => void out.push(line),
      complain: (line: string) => void err.push(line),
      status: () => {},
      ...(ask !== undefined && { ask }),
    };
    const code = await run(args, world);
    return { code, out: out.join('\n'), err: err.join('\n') };
  };
  const where = ['--dir', target.dir, '--site', SITE, '--key', target.key];
  return {
    folder,
    at,
    where,
    tidings,
    surface: (verb: string, ...args: string[]) => tidings('surface', verb, ...where, ...args),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const GOOD = ['--endpoint-id', 'b', '--endpoint', '/b', '--protocol', 'rest', '--api-version', '1'];
const VERSIONS = ['--endpoint-id', 'a', '--from', '1', '--to', '2'];
const SUNSET = ['--sunset', '2027-01-01T00:00:00Z'];

test('an end needs no --key', async () => {
  using at = await terminal();
  const where = at.where.slice(0, 4);
  const to = ['--to', 'https://new.example/.well-known/agent-feed.xml'];
  expect(await at.tidings('surface', 'migrate', ...where, ...to, '--yes')).toMatchObject({ code: 0, err: '' });
  expect(await at.tidings('surface', 'terminate', ...where, '--yes')).toMatchObject({ code: 0, err: '' });
  expect(at.folder.read(FEED)).toContain('<af:feed-status>terminated<');
});

test.each<[string, string[], number, RegExp]>([
  ['no folder', ['announce', '--site', SITE, '--key', 'KEY', ...GOOD], 2, /--dir \(not given\).*folder/],
  ['no site', ['announce', '--dir', 'DIR', '--key', 'KEY', ...GOOD], 2, /--site \(not given\).*origin/],
  ['no key', ['announce', '--site', SITE, '--dir', 'DIR', ...GOOD], 2, /--key \(not given\).*keys new/],
  ['a key that is not there', ['announce', 'WHERE', '--key', 'NONE', ...GOOD], 2, /none\.json/],
  [
    'a key that all can read',
    ['announce', 'WHERE', '--key', 'DELTA', ...GOOD],
    2,
    /others on this machine can read it/,
  ],
  ['no endpoint', ['announce', 'WHERE', '--endpoint-id', 'b'], 2, /--endpoint \(not given\)/],
  ['an empty version', ['announce', 'WHERE', ...GOOD, '--api-version', ''], 2, /--api-version ""/],
  ['a relative endpoint', ['announce', 'WHERE', ...GOOD, '--endpoint', 'orders'], 2, /orders/],
  ['a private endpoint', ['announce', 'WHERE', ...GOOD, '--endpoint', 'https://10.0.0.5/'], 2, /10\.0\.0\.5/],
  ['plain http', ['announce', 'WHERE', '--site', 'http://api.example/', ...GOOD], 2, /https/],
  ['a path', ['announce', 'WHERE', '--site', 'https://api.example/docs/', ...GOOD], 2, /without a path/],
  ['another site', ['announce', 'WHERE', '--site', 'https://other.example/', ...GOOD], 3, /did:web:api\.example/],
  ['a time that is none', ['announce', 'WHERE', ...GOOD, '--asserted-at', 'yesterday'], 2, /yesterday/],
  ['a date for a sunset', ['deprecate', 'WHERE', '--endpoint-id', 'a', '--sunset', '2027-01-01'], 2, /2027-01-01/],
  ['no sunset', ['deprecate', 'WHERE', '--endpoint-id', 'a'], 2, /--sunset \(not given\)/],
  ['an unknown endpoint', ['deprecate', 'WHERE', '--endpoint-id', 'x', ...SUNSET], 3, /"x" is not announced/],
  ['no delta', ['change', 'WHERE', ...VERSIONS], 2, /--migration \(not given\).*--old/],
  ['two deltas', ['change', 'WHERE', ...VERSIONS, '--migration', 'DELTA', '--old', 'DELTA'], 2, /not both/],
  ['half a comparison', ['change', 'WHERE', ...VERSIONS, '--old', 'DELTA'], 2, /--new \(not given\)/],
  ['a wrong pointer', ['change', 'WHERE', ...VERSIONS, '--migration', 'DELTA'], 2, /#\/x/],
  ['a delta that is not there', ['change', 'WHERE', ...VERSIONS, '--migration', 'NONE'], 2, /cannot be read/],
  ['a delta that is a list', ['change', 'WHERE', ...VERSIONS, '--migration', 'LIST'], 2, /must be an object/],
  ['a delta that says a thing twice', ['change', 'WHERE', ...VERSIONS, '--migration', 'TWICE'], 2, /add twice/],
  ['a type that is none', ['change', 'WHERE', ...VERSIONS, '--migration', 'TOKEN'], 2, /"integer"/],
  ['half a retype', ['change', 'WHERE', ...VERSIONS, '--migration', 'HALF'], 2, /not nothing/],
  ['what no XML carries', ['change', 'WHERE', ...VERSIONS, '--migration', 'FFFF'], 2, /U\+FFFF/],
  [
    'what no XML carries, in a reason',
    ['deprecate', 'WHERE', '--endpoint-id', 'a', ...SUNSET, '--reason', '\uFFFF'],
    2,
    /FFFF/,
  ],
  ['a number that is rounded', ['change', 'WHERE', ...VERSIONS, '--migration', 'BIG'], 2, /12345678901234567890/],
  ['a number that is infinite', ['change', 'WHERE', ...VERSIONS, '--migration', 'HUGE'], 2, /1e400/],
  [
    'a rename of nothing',
    ['change', 'WHERE', ...VERSIONS, '--old', 'OLD', '--new', 'NEW', '--rename', 'a'],
    2,
    /--rename a/,
  ],
  ['no difference', ['change', 'WHERE', ...VERSIONS, '--old', 'OLD', '--new', 'OLD'], 3, /same shapes/],
  ['no new feed', ['migrate', 'WHERE', '--yes'], 2, /--to \(not given\)/],
  ['a new feed over http', ['migrate', 'WHERE', '--yes', '--to', 'http://new.example/f.xml'], 2, /https/],
  ['no yes to an end', ['terminate', 'WHERE'], 2, /the feed of api\.example for good.*--yes/],
  ['no yes to a move', ['migrate', 'WHERE', '--to', 'https://new.example/f.xml'], 2, /new\.example.*--yes/],
  ['an unknown verb', ['anounce'], 2, /unknown command 'anounce'/],
])('%s is one complaint, and nothing is written', async (_, args, code, message) => {
  using at = await terminal();
  at.folder.write({
    'delta.json': '{"add":["#/x"]}',
    'list.json': '[]',
    'token.json': '{"retype":{"/a":{"from":"string","to":"integer"}}}',
    'half.json': '{"retype":{"/a":{"from":"string"}}}',
    'ffff.json': '{"add":["/\\uffff"]}',
    'big.json': '{"add":["/a"],"x-limit":12345678901234567890}',
    'huge.json': '{"add":["/a"],"x-limit":1e400}',
    'twice.json': '{"add":["/x"],"add":["/y"]}',
    ...DESCRIPTIONS,
  });
  const before = at.folder.fingerprint();
  const words: Readonly<Record<string, readonly string[]>> = {
    WHERE: at.where,
    DIR: [at.at('site')],
    KEY: [at.at('key.json')],
    NONE: [at.at('none.json')],
    DELTA: [at.at('delta.json')],
    LIST: [at.at('list.json')],
    ...Object.fromEntries(
      ['token', 'half', 'ffff', 'big', 'huge'].map((name) => [name.toUpperCase(), [at.at(`${name}.json`)]]),
    ),
    TWICE: [at.at('twice.json')],
    OLD: [at.at('old.json')],
    NEW: [at.at('new.json')],
  };
  const ended = await at.tidings('surface', ...args.flatMap((arg) => words[arg] ?? [arg]));
  expect(ended).toEqual({ code, out: '', err: expect.stringMatching(message) });
  expect(at.folder.fingerprint()).toEqual(before);
});

const schema = (...names: string[]) =>
  JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
    required: names,
  });
const DESCRIPTIONS = { 'old.json': schema('amount', 'id'), 'new.json': schema('amounts', 'id') };

test('a delta is derived from two descriptions, and a rename is suggested, never assumed', async () => {
  using at = await terminal();
  at.folder.write(DESCRIPTIONS);
  const derived = ['--old', at.at('old.json'), '--new', at.at('new.json')];
  const open = await at.surface('change', ...VERSIONS, ...derived);
  expect(open).toMatchObject({ code: 0, err: expect.stringContaining('--rename /amount=/amounts') });
  const asJson = await at.surface(
    'change',
    ...VERSIONS,
    ...derived,
    '--effective-at',
    '2026-01-01T00:00:00Z',
    '--json',
  );
  expect(JSON.parse(asJson.out).warnings.join()).toContain('--rename /amount=/amounts');
  expect(at.folder.read(FEED)).toContain('"migration":{"add":["/amounts"],"remove":["/amount"]}');
  const said = await at.surface('change', ...VERSIONS, ...derived, '--rename', '/amount=/amounts');
  expect(said).toMatchObject({ code: 0, err: expect.not.stringContaining('--rename') });
  expect(at.folder.read(FEED)).toContain('"migration":{"rename":{"/amount":"/amounts"}}');
});

test('who says that nothing was renamed is believed', async () => {
  using at = await terminal();
  at.folder.write(DESCRIPTIONS);
  const derived = ['--old', at.at('old.json'), '--new', at.at('new.json'), '--as-is'];
  expect(await at.surface('change', ...VERSIONS, ...derived)).toMatchObject({ code: 0, err: '' });
  expect(at.folder.read(FEED)).toContain('"migration":{"add":["/amounts"],"remove":["/amount"]}');
});

test.each([
  ['y', '"migration":{"rename":{"/amount":"/amounts"}}'],
  ['', '"migration":{"add":["/amounts"],"remove":["/amount"]}'],
])('at a terminal a likely rename is asked for before anything is signed (%s)', async (answer, migration) => {
  const asked: string[] = [];
  using at = await terminal(async (question) => {
    asked.push(question);
    return answer;
  });
  at.folder.write(DESCRIPTIONS);
  await at.surface('change', ...VERSIONS, '--old', at.at('old.json'), '--new', at.at('new.json'));
  expect(asked).toEqual(['Is /amount called /amounts now? [y/N]']);
  expect(at.folder.read(FEED)).toContain(migration);
});

test('a delta that has keys of ours is signed without a word about them', async () => {
  using at = await terminal();
  const [old, now] = [{ id: { type: 'string' } }, { id: { type: 'string' }, note: { type: 'string' } }].map(
    (properties) => JSON.stringify({ type: 'object', properties, required: ['id'] }),
  );
  at.folder.write({ 'old.json': old ?? '', 'new.json': now ?? '' });
  const derived = ['--old', at.at('old.json'), '--new', at.at('new.json')];
  expect(await at.surface('change', ...VERSIONS, ...derived)).toMatchObject({ code: 0, err: '' });
  expect(at.folder.read(FEED)).toContain('"addOptional":["/note"]');
});

test('who ends a feed types the name of its host', async () => {
  const asked: string[] = [];
  using at = await terminal(async (question) => {
    asked.push(question);
    return asked.length === 1 ? 'yes' : ' API.example ';
  });
  const before = at.folder.fingerprint();
  expect(await at.surface('terminate')).toEqual({ code: 4, out: '', err: 'tidings: Nothing was done.' });
  expect(at.folder.fingerprint()).toEqual(before);
  expect(await at.surface('terminate')).toMatchObject({ code: 0, err: '' });
  expect(asked[1]).toMatch(/for good.*\nType api\.example to go on: $/s);
  expect(at.folder.read(FEED)).toContain('<af:feed-status>terminated<');
  expect(await at.surface('announce', ...GOOD)).toMatchObject({ code: 4, err: expect.stringContaining('for good') });
});

test('who revokes a key types its name, and what it said is said again', async () => {
  const asked: string[] = [];
  using at = await terminal(async (question) => {
    asked.push(question);
    return asked.length === 1 ? 'yes' : 'key-1';
  });
  const revoke = (id: string) => at.tidings('keys', 'revoke', id, ...at.where);
  expect(await at.tidings('keys', 'rotate', ...at.where)).toMatchObject({ code: 0 });
  const before = at.folder.fingerprint();
  expect(await revoke('key-1')).toEqual({ code: 4, out: '', err: 'tidings: Nothing was done.' });
  expect(at.folder.fingerprint()).toEqual(before);
  expect(await revoke('key-1')).toMatchObject({ code: 0, out: expect.stringContaining('1 fact was said again') });
  expect(asked[1]).toMatch(/for good.*\nType key-1 to go on: $/s);
  expect(at.folder.read('site/.well-known/did.json')).not.toContain('key-1');
  expect((await at.tidings('keys', 'list', '--key', at.at('key.json'))).out).toMatch(
    /key-1 .* revoked\nkey-2 .* signs/,
  );
  const current = await at.tidings('keys', 'revoke', 'key-2', ...at.where, '--yes');
  expect(current).toMatchObject({ code: 2, err: expect.stringContaining('keys rotate') });
});

test('the kill switch works with a record that is damaged, and without a key', async () => {
  using at = await terminal();
  at.folder.write({ [RECORD]: `${at.folder.read(RECORD)}junk\n` });
  const ended = await at.surface('terminate', '--yes', '--key', at.at('none.json'));
  expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('.damaged-') });
  expect(at.folder.read(FEED)).toContain('<af:feed-status>terminated<');
});

test('a record that was cut is not gone on with', async () => {
  using at = await terminal();
  at.folder.write({ [RECORD]: at.folder.read(RECORD).slice(0, -5) });
  const before = at.folder.fingerprint();
  const ended = await at.surface('announce', ...GOOD);
  expect(ended).toMatchObject({ code: 3, out: '', err: expect.stringContaining('surface.ndjson') });
  expect(at.folder.fingerprint()).toEqual(before);
});

test('settings give folder, site and key to the verbs that sign', async () => {
  using at = await terminal();
  const surface = { dir: 'site', site: SITE, key: 'key.json' };
  at.folder.write({ 'x.json': JSON.stringify({ site: 'https://docs.example/', surface }) });
  const config = ['--config', at.at('x.json')];
  expect(await at.tidings('surface', 'announce', ...config, ...GOOD)).toMatchObject({ code: 0, err: '' });
  expect(await at.tidings('keys', 'rotate', ...config)).toMatchObject({ code: 0 });
  expect(at.folder.read('site/.well-known/did.json')).toContain('did:web:api.example#key-2');
  // A flag counts more.
  const other = await at.tidings('surface', 'announce', ...config, '--site', 'https://other.example/', ...GOOD);
  expect(other).toMatchObject({ code: 3, out: '' });
});

test('every verb has help with an example', async () => {
  using at = await terminal();
  for (const verb of ['init', 'announce', 'change', 'deprecate', 'diff', 'watch', 'archive', 'terminate', 'migrate']) {
    expect((await at.tidings('surface', verb, '--help')).out).toContain(`$ tidings surface ${verb} `);
  }
  for (const verb of ['new', 'rotate', 'revoke', 'list']) {
    expect((await at.tidings('keys', verb, '--help')).out).toContain(`$ tidings keys ${verb} `);
  }
});

test('a drill passes with exit 0, tells its steps, and leaves the feed as it is', async () => {
  using at = await terminal();
  const before = at.folder.read(FEED);
  const where = at.where.slice(0, 4);
  expect(await at.tidings('surface', 'drill', ...where)).toMatchObject({
    code: 0,
    out: expect.stringContaining('readers end untrusted'),
  });
  const { code, out } = await at.tidings('surface', 'drill', ...where, '--json');
  expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, untrusted: true, unchanged: true });
  expect(at.folder.read(FEED)).toBe(before);
  await at.tidings('surface', 'terminate', ...where, '--yes');
  expect(await at.tidings('surface', 'drill', ...where)).toMatchObject({
    code: 1,
    out: expect.stringContaining('FAIL'),
  });
});
