import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSameBytes } from '../../src/codecs/primitives/bytes.ts';
import { decodeCheckpoint } from '../../src/codecs/tlog/checkpoint.ts';
import { GrowingTree } from '../../src/codecs/tlog/growing-tree.ts';
import { leafHash } from '../../src/codecs/tlog/tree-hash.ts';
import { storedBundle } from '../../src/dialects/tlog/shelf/store-entries.ts';
import { fsckHub } from '../../src/doors/fsck-hub.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { readSqliteTlogStore } from '../../src/io/sqlite/tlog-store.ts';
import { gunzipDocument } from '../../src/io/zlib/document.ts';
import { sha256 } from '../../src/tlog/sha256.ts';
import { startChild, type TortureReport } from './harness.ts';

export interface TlogHubTorture {
  readonly rounds: number;
  readonly writers: 1 | 2;
  /** A fault that must be found. */
  readonly flaw?: 'sign-first';
}

/** So many kills befall one data folder before another one is begun. */
const ROUNDS_A_FOLDER = 13;
/** Of a start and of what follows: at each of them it is killed once before, and once behind. */
const WRITES = 13;

/**
 * Kills a hub with SIGKILL at each write of its provable log, again and again. Everything that was ever signed must be a beginning of the log in the end,
 * and what the checkpoint covers must be there behind each kill.
 */
export async function tortureTlogHub({ rounds, writers, flaw }: TlogHubTorture): Promise<TortureReport> {
  const wrong = {
    forks: 0,
    'heads that were signed and lost': 0,
    'checkpoints that cover what is missing or differs': 0,
  };
  let hits = 0;
  for (let done = 0; done < rounds; done += ROUNDS_A_FOLDER) {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-tlog-hub-'));
    const notes: string[] = [];
    for (let round = done; round < Math.min(rounds, done + ROUNDS_A_FOLDER); round += 1) {
      const at = 1 + (Math.floor(round / 2) % WRITES) + (round % 2) / 2;
      const child = startChild('tlog-hub-child.mjs', [
        folder,
        String(at),
        String(writers),
        ...(flaw === undefined ? [] : [flaw]),
      ]);
      if ((await child.ended) === 'SIGKILL') hits += 1;
      for (const line of child.lines)
        if (line.startsWith('signed ')) notes.push(Buffer.from(line.slice(7), 'base64').toString());
      wrong['checkpoints that cover what is missing or differs'] += await faultsIn(folder);
    }
    const judged = await judgeNotes(folder, notes);
    wrong.forks += judged.forks;
    wrong['heads that were signed and lost'] += judged.lost;
    await rm(folder, { recursive: true });
  }
  return { name: `tlog-hub (${writers === 1 ? 'one writer' : 'two writers'})`, rounds, hits, wrong };
}

/** A head that waits for its signature is no fault, and neither is a folder that was killed before its log began. */
async function faultsIn(folder: string): Promise<number> {
  const report = await fsckHub(folder).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'LogMissingError') return undefined;
    throw error;
  });
  const faults = (report?.findings ?? []).filter(({ what }) => !what.startsWith('It has no checkpoint.'));
  for (const { what, where } of faults.slice(0, 3)) process.stderr.write(`${where}: ${what}\n`);
  return faults.length;
}

async function judgeNotes(
  folder: string,
  notes: readonly string[],
): Promise<{ readonly forks: number; readonly lost: number }> {
  const roots = await rootsOf(folder);
  let [forks, lost] = [0, 0];
  for (const note of new Set(notes)) {
    const head = decodeCheckpoint(`${note.split('\n\n')[0]}\n`);
    if (!head.ok) throw new Error(head.issues[0].message);
    const root = roots[head.value.treeSize];
    if (root === undefined) lost += 1;
    else if (!isSameBytes(root, head.value.rootHash)) forks += 1;
  }
  return { forks, lost };
}

/** The root of each size that the log in a folder had. */
async function rootsOf(folder: string): Promise<readonly Uint8Array[]> {
  await using store = await openSqliteHubStore({ folder, readonly: true });
  const tables = store.openTables(readSqliteTlogStore);
  const size = tables?.logs().at(-1)?.size ?? 0;
  const tree = new GrowingTree(sha256);
  const roots = [tree.root()];
  for (let index = 0; tables !== undefined && tree.size < size; index += 1) {
    for (const entry of (await storedBundle(1, index, { store: tables, gunzip: gunzipDocument })) ?? []) {
      tree.append(leafHash(entry, sha256));
      roots.push(tree.root());
    }
  }
  return roots;
}
