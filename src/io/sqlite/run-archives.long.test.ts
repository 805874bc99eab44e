import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRuns, page, served } from '../../../test/support/run-lab.ts';
import { workBetweenTurns } from '../../../test/support/work-between-turns.ts';
import { encodeDiffDeltaFeed } from '../../codecs/diffdelta/encode.ts';
import type { DiffDeltaFeed } from '../../codecs/diffdelta/wire.ts';
import { archiveKey, DIGIT_BYTES } from './archive-key.ts';
import { openRawDatabase } from './database.ts';
import { RunArchives } from './run-archives.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-run-archives-'));
afterAll(() => rm(root, { recursive: true }));

/** What format 3 made of the second of two texts, told by the first. */
const FORMAT_3_DELTA =
  'xdC7DcMwDEXRPlN4ABaPT7QojaMPuYSR3QO4NJAiVarbneJCIAQOExXvd3BQTPC6Hm/MsnJyN0MoVgkbORctnVFZXGsHdug4tYX3ht1gXFnGmfQ5/vVGvnP6M6fvDw==';

const pathOf = (at: number) =>
  `archive/_global/2026/03/01/20260301T12${String(at).padStart(4, '0')}Z_${at.toString(16).padStart(12, '0')}.json`;

/** Archives of the feed of all sources, of which each has one item more than the one before it. */
function textsOf(count: number): string[] {
  const items: unknown[] = [];
  return Array.from({ length: count }, (_, at) => {
    items.push({ source: 'docs', id: `id ${at}`, published_at: '', provenance: { content_hash: Math.sqrt(at) } });
    const buckets = { new: items.slice(-100), updated: [], removed: [], flagged: [] };
    return encodeDiffDeltaFeed({ sources_included: [], buckets, sources: {} } as unknown as DiffDeltaFeed).text;
  });
}

function openArchives() {
  const bodies = new Map<string, Uint8Array>();
  let asked = 0;
  const open = () =>
    new RunArchives({
      find: (path) => {
        asked += 1;
        return bodies.get(path);
      },
      pack: (text) => Buffer.from(text),
      unpack: (body) => body,
    });
  const add = async (archives: RunArchives, texts: readonly string[]) => {
    const packed = await archives.pack(
      texts.map((text, at) => ({ path: pathOf(at), text, ...(at > 0 && { over: pathOf(at - 1) }) })),
    );
    for (const { path, body } of packed) bodies.set(path, body);
    archives.stored(packed);
  };
  return { bodies, open, add, asked: () => asked };
}

test('every archive of a long chain is found as it was, by another process too, and few are read for it', async () => {
  const { bodies, open, add, asked } = openArchives();
  const texts = textsOf(450);
  await add(open(), texts);
  const archives = open();
  for (const at of [449, 448, 300, 201, 200, 1, 0]) {
    const before = asked();
    expect(String(Buffer.from((await archives.find(pathOf(at))) ?? '')), String(at)).toBe(texts[at]);
    expect(asked() - before).toBeLessThan(210);
  }
  const whole = [...bodies.values()].filter(([first]) => first === 0x7b);
  expect(whole.length).toBe(3);
});

test('archives that are read backwards do not each begin at the last whole one', async () => {
  const { open, add, asked } = openArchives();
  await add(open(), textsOf(150));
  const archives = open();
  await archives.find(pathOf(149));
  const before = asked();
  for (let at = 148; at >= 100; at -= 1) await archives.find(pathOf(at));
  expect((asked() - before) / 49).toBeLessThan(12);
});

test('an archive that is damaged is refused, and the next one is kept whole', async () => {
  const { bodies, open, add } = openArchives();
  const texts = textsOf(3);
  await add(open(), texts);
  const archives = open();
  bodies.set(pathOf(1), (bodies.get(pathOf(1)) ?? new Uint8Array()).slice(0, -6));
  await expect(archives.find(pathOf(1))).rejects.toThrow();
  await expect(archives.find(pathOf(2))).rejects.toThrow();
  const [next] = await archives.pack([{ path: pathOf(3), text: texts[2] ?? '', over: pathOf(2) }]);
  expect(String(next?.body)).toBe(texts[2]);
});

test('archives of format 3 are read as they were, and told by them are those of today', async () => {
  const { bodies, open } = openArchives();
  const [base = '', text = ''] = textsOf(2);
  const delta = Buffer.from(FORMAT_3_DELTA, 'base64');
  bodies.set(pathOf(0), Buffer.from(base));
  bodies.set(pathOf(1), Buffer.concat([Buffer.of(0x01, 1), archiveKey(pathOf(0)).subarray(0, DIGIT_BYTES), delta]));
  expect(String(Buffer.from((await open().find(pathOf(1))) ?? ''))).toBe(text);
  const archives = open();
  const [next] = await archives.pack([{ path: pathOf(2), text: base, over: pathOf(1) }]);
  bodies.set(pathOf(2), next?.body ?? new Uint8Array());
  expect(next?.body[0]).toBe(0x04);
  expect(String(Buffer.from((await open().find(pathOf(2))) ?? ''))).toBe(base);
});

test('a run of one change among many sources takes little room', async () => {
  const folder = await mkdtemp(join(root, 'hub-'));
  await using hub = await openRuns({ folder });
  const ids = Array.from({ length: 40 }, (_, at) => `source_${at}`);
  for (const id of ids) hub.watch(id);
  const stored = async () => {
    const database = await openRawDatabase(join(folder, 'tidings.db'), { readonly: true });
    const row = database.prepare('SELECT sum(length(body)) AS bytes FROM hub_run_closed').get();
    database.close();
    return (row as { bytes: number | null }).bytes ?? 0;
  };
  const round = async (edition: number) => {
    for (const id of ids) await hub.commit(id, [page('a', `${id} in its edition ${edition}, ${Math.sqrt(edition)}`)]);
    await hub.shelf.mend();
  };
  await round(1);
  const before = await stored();
  await round(2);
  expect(((await stored()) - before) / ids.length).toBeLessThan(470);
  for (const id of ['source_7', '_global']) {
    const { feed, text } = await served(hub.shelf, id);
    expect(String(Buffer.from((await hub.shelf.archive((feed.archive_url ?? '').slice(1))) ?? ''))).toBe(text);
  }
});

test('others have their turn while many archives are packed', async () => {
  const texts = textsOf(40);
  const archives = openArchives().open();
  const most = await workBetweenTurns(async (count) => {
    const counted = texts.map((text, at) => ({
      path: pathOf(at),
      get text() {
        count();
        return text;
      },
      ...(at > 0 && { over: pathOf(at - 1) }),
    }));
    expect(await archives.pack(counted)).toHaveLength(40);
  });
  expect(most).toBe(1);
});
