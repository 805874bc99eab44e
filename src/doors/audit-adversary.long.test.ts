import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type AdversaryHub, openAdversaryHub, ToldHistory } from '../../test/support/adversary-hub.ts';
import { AuditFailedError } from '../errors/audit-error.ts';
import type { Change } from '../model/change.ts';
import { sha256 } from '../tlog/sha256.ts';
import { type AuditOptions, audit } from './audit.ts';
import { type FollowOptions, follow } from './follow.ts';

interface Lab extends AsyncDisposable {
  readonly hub: AdversaryHub;
  readonly history: ToldHistory;
  readonly folder: string;
  /** Serves a history from now on. */
  show(history: ToldHistory): void;
  look(options?: AuditOptions): ReturnType<typeof audit>;
}

async function openLab(changes = 5): Promise<Lab> {
  const hub = await openAdversaryHub();
  const folder = await mkdtemp(join(tmpdir(), 'tidings-audit-'));
  const history = new ToldHistory(hub.url).grow(changes);
  const lab: Lab = {
    hub,
    history,
    folder,
    show: ({ files }) => hub.serve((path) => files.get(path)),
    look: (options = {}) => audit(hub.url, { state: join(folder, 'state'), allowPrivate: true, looks: 1, ...options }),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
  lab.show(history);
  return lab;
}

const words = (report: Awaited<ReturnType<typeof audit>>) => report.findings.map(({ what }) => what).join('\n');

clause(
  'TL-E8',
  'a hub that tells the truth passes, and entries of a bundle that is not full are read at the next look',
  async () => {
    await using lab = await openLab(300);
    const first = await lab.look();
    expect(first).toMatchObject({ ok: true, size: 301, findings: [], unread: [] });
    expect(first.previousSize).toBeUndefined();
    expect(first.notes.join()).toContain('at first sight');
    lab.history.grow(3);
    lab.hub.requests.length = 0;
    const second = await lab.look();
    expect(second).toMatchObject({ ok: true, size: 304, previousSize: 301 });
    expect(lab.hub.requests.filter((path) => path.includes('tile/entries/'))).toEqual([
      '.well-known/tidings/tile/entries/001.p/48',
    ]);
    expect(await lab.look()).toMatchObject({ ok: true, size: 304, previousSize: 304 });
  },
);

test('a change that the feed leaves out is named', async () => {
  await using lab = await openLab();
  await lab.look();
  lab.history.grow(2).tell(lab.history.changes.filter(({ seq }) => seq !== 6));
  const report = await lab.look();
  expect(report.findings).toHaveLength(1);
  expect(report.findings[0]?.evidence).toMatchObject({ seq: 6, id: lab.history.changes[5]?.id });
  expect(words(report)).toContain('leaves out');
});

test('an event that was never logged is named', async () => {
  await using lab = await openLab();
  const made: Change = { ...(lab.history.changes[4] as Change), id: '01ARZ3NDEKTSV4RRFF99999999', seq: 9 };
  lab.history.tell([...lab.history.changes, made]);
  expect(words(await lab.look())).toContain('not in the log: 01ARZ3NDEKTSV4RRFF99999999');
});

test('a change that is left out of the log and the feed leaves a hole in the numbers', async () => {
  await using lab = await openLab();
  const { changes } = lab.history;
  const hidden = new ToldHistory(lab.hub.url).grow(3);
  const { id, seq, source, kind, action, url, time } = { ...(changes[4] as Change) };
  hidden.enter({ v: 1, type: 'change', id, seq, source, kind, action, url, time, provenance: {}, hashed: {} });
  hidden.tell(
    changes.filter((change) => change.seq !== 4).map((change) => (change.seq === 5 ? omitChecksum(change) : change)),
  );
  lab.show(hidden);
  expect(words(await lab.look())).toBe('The log leaves out changes: number 4 of them.');
});

function omitChecksum({ checksum: _, ...change }: Change): Change {
  return change;
}

test('what is told before it is logged passes if the log follows, and is found if it does not', async () => {
  await using lab = await openLab();
  const late = new ToldHistory(lab.hub.url).grow(5);
  const before = late.copyFiles();
  late.grow(1);
  let checkpoints = 0;
  lab.hub.serve((path) => {
    if (path.endsWith('/checkpoint')) checkpoints += 1;
    const isOfLog = path.startsWith('.well-known/tidings/');
    // The first look and the search for the log ask for it; the log follows behind that.
    return isOfLog && checkpoints <= 2 ? before.get(path) : late.files.get(path);
  });
  expect(await lab.look({ looks: 2 })).toMatchObject({ ok: true, size: 7 });
  expect(checkpoints).toBe(3);
  lab.hub.serve((path) => (path.startsWith('.well-known/tidings/') ? before : late.files).get(path));
  const report = await lab.look({ state: join(lab.folder, 'another'), looks: 2 });
  expect(words(report)).toContain('not in the log');
});

test.each([
  ['action', (change: Change): Change => ({ ...change, action: 'delete' })],
  ['checksum', (change: Change): Change => ({ ...change, checksum: `sha256:${'0'.repeat(64)}` })],
  ['url', (change: Change): Change => ({ ...change, url: 'https://elsewhere.example/' })],
  ['time', (change: Change): Change => ({ ...change, time: '2026-02-01T09:00:00Z' })],
  ['anchor', (change: Change): Change => ({ ...change, anchor: 'prices' })],
])('an event that is told with another %s is named', async (field, rewrite) => {
  await using lab = await openLab();
  lab.history.tell(lab.history.changes.map((change) => (change.seq === 3 ? rewrite(change) : change)));
  const report = await lab.look();
  expect(words(report)).toBe(
    `The feed tells the change ${lab.history.changes[2]?.id} otherwise than the log: another ${field}.`,
  );
});

clause('TL-P7', 'a log that was rewritten is a fork, and both signed checkpoints are kept', async () => {
  await using lab = await openLab();
  const save = join(lab.folder, 'seen.checkpoint');
  await lab.look({ save });
  const seen = await readFile(save, 'utf8');
  for (const [count, isLarger] of [
    [5, false],
    [9, true],
  ] as const) {
    const forked = new ToldHistory(lab.hub.url).grow(count, { action: 'delete' });
    lab.show(forked);
    const report = await lab.look();
    expect(words(report)).toContain('rewritten');
    const kept = report.evidenceFolder ?? '';
    expect(await readFile(join(kept, 'held-6.checkpoint'), 'utf8')).toBe(seen);
    expect(await readFile(join(kept, `served-${count + 1}.checkpoint`), 'utf8')).toBe(forked.read('checkpoint'));
    expect((await readdir(kept)).includes('consistency-proof.txt')).toBe(isLarger);
    // The same by the file alone, without a memory.
    expect(words(await lab.look({ state: join(lab.folder, `${count}`), since: save }))).toContain('rewritten');
  }
  lab.show(lab.history.grow(1));
  expect(await lab.look()).toMatchObject({ ok: true, previousSize: 6, size: 7 });
});

clause(
  'TL-P9',
  'an older copy is stale and moves nothing back; a smaller log that is no beginning is a fork',
  async () => {
    await using lab = await openLab(2);
    const old = lab.history.copyFiles();
    lab.history.grow(4);
    await lab.look();
    lab.hub.serve((path) => old.get(path));
    const stale = await lab.look();
    expect(stale).toMatchObject({ ok: false, size: 7, previousSize: 7, findings: [] });
    expect(stale.unread.join()).toContain('old copy');
    const forked = new ToldHistory(lab.hub.url).grow(2, { action: 'delete' });
    lab.show(forked);
    const report = await lab.look();
    expect(words(report)).toContain('rewritten');
    expect(await readFile(join(report.evidenceFolder ?? '', 'served-3.checkpoint'), 'utf8')).toBe(
      forked.read('checkpoint'),
    );
  },
);

test('two logs under one name: another key is not taken for the one that was pinned', async () => {
  await using lab = await openLab();
  await lab.look();
  lab.show(new ToldHistory(lab.hub.url, 100).grow(9));
  expect(words(await lab.look())).toContain('Two logs under one name');
  expect(words(await lab.look({ state: join(lab.folder, 'new'), vkey: lab.history.vkey }))).toContain('Two logs');
  lab.show(lab.history);
  lab.history.write('vkey', `${new ToldHistory(lab.hub.url, 100).vkey}\n`);
  expect(words(await lab.look())).toContain('names another key as its own');
});

test.each([
  ['an empty body', '', 'nothing in it'],
  ['a page', '<!doctype html><p>Not found</p>', 'it is a page'],
  ['a note without a signature', 'log\n7\nabc\n\n', 'No signature'],
])('%s proves nothing: it is refused with its own words, and kept', async (_, text, said) => {
  await using lab = await openLab();
  await lab.look();
  lab.history.write('checkpoint', text);
  const report = await lab.look();
  expect(report).toMatchObject({ ok: false, findings: [], size: 6 });
  expect(report.unread.join()).toContain(said);
  expect(await readFile(join(report.evidenceFolder ?? '', 'refused.checkpoint'), 'utf8')).toBe(text);
});

test('truncated and forged checkpoints are refused', async () => {
  await using lab = await openLab();
  await lab.look();
  const note = lab.history.read('checkpoint');
  lab.history.write('checkpoint', note.slice(0, -1));
  expect((await lab.look()).unread.join()).toContain('does not end');
  lab.history.write('checkpoint', note.replace('\n6\n', '\n7\n'));
  expect(words(await lab.look())).toContain('forged');
});

test('swapped tiles and changed bundles are named, endless ones are not read to the end', async () => {
  await using lab = await openLab(300);
  const { files } = lab.history;
  const swap = (path: string, other: Uint8Array | 'endless' | undefined) =>
    lab.hub.serve((asked) => (asked === `.well-known/tidings/${path}` ? other : files.get(asked)));
  const bundle = Buffer.from(files.get('.well-known/tidings/tile/entries/000') ?? []);
  bundle[bundle.length - 5] = (bundle.at(-5) ?? 0) ^ 1;
  swap('tile/entries/000', bundle);
  expect(words(await lab.look())).toContain('entry 255 is not what the checkpoint says');
  const partial = Buffer.from(files.get('.well-known/tidings/tile/0/001.p/45') ?? []);
  swap('tile/0/001.p/45', partial.reverse());
  expect(words(await lab.look())).toContain('tile/0/001.p/45');
  swap('tile/entries/000', 'endless');
  expect(words(await lab.look())).toContain('tile/entries/000 of');
  expect(words(await lab.look())).toContain('more than 16777472 bytes');
  swap('tile/0/001.p/45', 'endless');
  expect(words(await lab.look())).toContain('more than 1440 bytes');
  swap('tile/entries/001.p/45', undefined);
  const missing = await lab.look();
  expect(missing.findings).toEqual([]);
  expect(missing.unread.join()).toContain('tile/entries/001.p/45');
});

clause('TL-E7', 'bundles that come as gzip are read, and one that is too large once unpacked is not', async () => {
  await using lab = await openLab(300);
  const { files } = lab.history;
  const path = '.well-known/tidings/tile/entries/000';
  const serveAs = (bytes: Uint8Array) =>
    lab.hub.serve((asked) => (asked === path ? { gzip: gzipSync(bytes) } : files.get(asked)));
  serveAs(files.get(path) ?? new Uint8Array());
  expect((await lab.look()).ok).toBe(true);
  const bomb = Buffer.alloc(64 * 1024 * 1024);
  expect(gzipSync(bomb).length).toBeLessThan(100_000);
  serveAs(bomb);
  const report = await lab.look({ state: join(lab.folder, 'new') });
  expect(words(report)).toContain('more than 16777472 bytes');
});

test('a document that moves while it is read is explained by the log, one that the log never names is not', async () => {
  await using lab = await openLab();
  lab.history.bind('moving.json', '0');
  let version = 0;
  const isNamed = { now: true };
  lab.hub.serve((path) => {
    if (path !== 'moving.json') return lab.history.files.get(path);
    version += 1;
    const text = `${version}`;
    // The log follows behind each answer.
    if (isNamed.now) lab.history.bind(path, text);
    return Buffer.from(text);
  });
  expect(await lab.look({ looks: 3 })).toMatchObject({ ok: true, findings: [] });
  isNamed.now = false;
  expect(words(await lab.look({ looks: 2 }))).toContain('moving.json is not what entry');
});

test('a file that the log binds is held against its hash, and a redaction explains another one', async () => {
  await using lab = await openLab();
  lab.history.bind('changes.html', 'one').bind('changes.html', 'two');
  expect((await lab.look()).ok).toBe(true);
  lab.history.files.set('changes.html', Buffer.from('three'));
  expect(words(await lab.look())).toBe('changes.html is not what entry 7 of the log says.');
  lab.history.files.delete('changes.html');
  expect(words(await lab.look())).toContain('changes.html is not there');
  const [before, after] = ['two', 'three'].map((text) => `sha256:${hashOf(text)}`) as [string, string];
  const time = '2026-02-02T00:00:00Z';
  const artifacts = [{ path: 'changes.html', before, after }];
  lab.history.files.set('changes.html', Buffer.from('three'));
  lab.history.enter({
    v: 1,
    type: 'redacted',
    id: lab.history.changes[0]?.id ?? '',
    time,
    fields: ['before'],
    artifacts,
  });
  expect((await lab.look()).ok).toBe(true);
});

test('entries of another form, out of order or beginning twice are named by their index', async () => {
  await using lab = await openLab();
  lab.history.enter('{"v": 1}', 'no json', '{"v":2,"type":"begin"}');
  const report = await lab.look();
  expect(report.findings.map(({ where }) => where)).toEqual(['entry 6', 'entry 7', 'entry 8']);
});

test('limits of a place are waited out', async () => {
  await using lab = await openLab();
  let refused = 0;
  lab.hub.serve((path) => {
    if (path !== 'ai-changes.ndjson' || refused > 0) return lab.history.files.get(path);
    refused += 1;
    return { retryAfterSeconds: 1 };
  });
  expect(await lab.look()).toMatchObject({ ok: true, size: 6 });
  expect(refused).toBe(1);
});

test('a server that is down proves nothing, and neither does a feed that cannot be read', async () => {
  await using lab = await openLab();
  lab.hub.serve(() => 'broken');
  await expect(lab.look()).rejects.toMatchObject({ recovery: 'retry-later' });
  await using other = await openLab();
  other.history.files.set('.well-known/ai-changefeed', Buffer.from('{}'));
  const report = await other.look();
  expect(report.findings).toEqual([]);
  expect(report.unread.join()).toContain('aicf');
});

test('a split view is not found by either follower alone, and is found once they compare what they saw', async () => {
  await using lab = await openLab(3);
  const ofBob = new ToldHistory(lab.hub.url).grow(3, { action: 'delete' });
  lab.hub.serve((path, agent) => (agent.includes('bob') ? ofBob : lab.history).files.get(path));
  const [alice, bob] = ['alice', 'bob'].map((name) => ({
    botUrl: `https://${name}.example/`,
    state: join(lab.folder, name),
    save: join(lab.folder, `${name}.checkpoint`),
  }));
  for (let round = 0; round < 3; round += 1) {
    lab.history.grow(2);
    ofBob.grow(2, { action: 'delete' });
    // Both are content: neither knows of the other.
    expect((await lab.look({ ...alice })).ok).toBe(true);
    expect((await lab.look({ ...bob })).ok).toBe(true);
  }
  const report = await lab.look({ ...alice, since: join(lab.folder, 'bob.checkpoint') });
  expect(words(report)).toContain('rewritten');
});

test('who follows with audits is handed nothing from behind a fork', async () => {
  await using lab = await openLab();
  const state = join(lab.folder, 'follow.db');
  const options = { urls: lab.hub.url, state, once: true, audit: true, allowPrivate: true, cooldownMs: 0 };
  const read = async () => {
    const ids: (string | undefined)[] = [];
    for await (const { id } of follow(options)) ids.push(id);
    return ids;
  };
  expect(await read()).toEqual(lab.history.changes.map(({ id }) => id));
  lab.show(new ToldHistory(lab.hub.url).grow(9, { action: 'delete' }));
  const error = await read().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AuditFailedError);
  const kept = (error as AuditFailedError).evidenceFolder ?? '';
  expect((await readdir(kept)).sort()).toEqual(['consistency-proof.txt', 'held-6.checkpoint', 'served-10.checkpoint']);
  lab.show(lab.history.grow(1));
  expect(await read()).toEqual([lab.history.changes[5]?.id]);
  await expect(follow({ ...options, state: undefined } as FollowOptions).next()).rejects.toThrow(/--state/);
});

test('a checkpoint to compare with must be one of the log', async () => {
  await using lab = await openLab();
  const file = join(lab.folder, 'made-up');
  await writeFile(file, new ToldHistory('http://elsewhere.example/').read('checkpoint'));
  await expect(lab.look({ since: file })).rejects.toThrow(/since/);
});

function hashOf(text: string): string {
  return Buffer.from(new Uint8Array(sha256(Buffer.from(text)))).toString('hex');
}
