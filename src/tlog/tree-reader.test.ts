import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { BuiltLog } from '../../test/support/built-log.ts';
import { leafHash } from '../codecs/tlog/tree-hash.ts';
import { verifyConsistency, verifyInclusion } from '../codecs/tlog/verify-proof.ts';
import { TileError } from '../errors/tile-error.ts';
import { sha256 } from './sha256.ts';
import { TreeReader } from './tree-reader.ts';

const SIZE = 3000;
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `entry-${from + at}`);

function logOf(...sizes: readonly number[]): BuiltLog {
  const log = new BuiltLog();
  for (const size of sizes) log.append(...names(log.head.treeSize, size));
  return log;
}

const large = logOf(7, 300, 2560, SIZE);

test('every entry comes once, in order, and each bundle is read once', async () => {
  const source = large.source();
  const tree = new TreeReader(source, large.head);
  const seen: string[] = [];
  for await (const { index, bytes } of tree.entries()) seen.push(`${index} ${new TextDecoder().decode(bytes)}`);
  expect(seen).toEqual(names(0, SIZE).map((name, index) => `${index} ${name}`));
  expect(new Set(source.asked).size).toBe(source.asked.length);
  expect(source.asked.filter((path) => path.startsWith('tile/entries/'))).toHaveLength(12);
  // Full tiles of level 0 say nothing that the level above does not.
  expect(source.asked.filter((path) => path.startsWith('tile/0/'))).toEqual(['tile/0/011.p/184']);
});

test('proofs from tiles verify, with few requests', async () => {
  const source = large.source();
  const tree = new TreeReader(source, large.head);
  for (const index of [0, 6, 255, 256, 2559, 2560, 2999]) {
    const hash = leafHash(large.entries[index] ?? new Uint8Array(), sha256);
    expect(Buffer.from(hash).equals(await tree.leafAt(index))).toBe(true);
    const proof = await tree.inclusionProof(index);
    expect(verifyInclusion({ index, hash, proof }, large.head, sha256).ok).toBe(true);
  }
  for (const size of [1, 7, 300, 2560]) {
    const old = { treeSize: size, rootHash: logOf(size).head.rootHash };
    expect(Buffer.from(old.rootHash).equals(await tree.rootAt(size))).toBe(true);
    const proof = await tree.consistencyProof(size);
    expect(verifyConsistency(old, large.head, { proof, sha256 }).ok).toBe(true);
  }
  expect(source.asked.length).toBeLessThanOrEqual(10);
});

clause('TL-T10', 'only those partial tiles are asked for that the size of the head needs', async () => {
  const source = large.source();
  const tree = new TreeReader(source, large.head);
  await tree.consistencyProof(300);
  for await (const _ of tree.entries(2900));
  const partial = source.asked.filter((path) => path.includes('.p/')).sort();
  expect(partial).toEqual(['tile/0/011.p/184', 'tile/1/000.p/11', 'tile/entries/011.p/184']);
});

clause('TL-T11', 'where a partial file is gone, the first part of the full one is taken', async () => {
  const log = logOf(7);
  const { head } = log;
  log.append(...names(7, 300));
  log.files.delete('tile/0/000.p/7');
  log.files.delete('tile/entries/000.p/7');
  const tree = new TreeReader(log.source(), head);
  const seen: number[] = [];
  for await (const { index } of tree.entries()) seen.push(index);
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

clause('TL-T13', 'one changed byte of any tile or bundle that is needed refuses it, by its name', async () => {
  const log = logOf(300, 1000);
  const read = async () => {
    const tree = new TreeReader(log.source(), log.head);
    await tree.inclusionProof(3);
    await tree.rootAt(300);
    for await (const _ of tree.entries());
  };
  await read();
  const needed = [
    'tile/0/000',
    'tile/0/001',
    'tile/0/003.p/232',
    'tile/1/000.p/3',
    'tile/entries/000',
    'tile/entries/002',
    'tile/entries/003.p/232',
  ];
  for (const path of needed) {
    const right = log.files.get(path) ?? new Uint8Array();
    const wrong = right.slice();
    wrong[40] = (wrong[40] ?? 0) ^ 1;
    log.files.set(path, wrong);
    const error = await read().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error, path).toBeInstanceOf(TileError);
    expect((error as TileError).paths).toContain(path);
    expect((error as TileError).recovery).toBe('stop');
    log.files.set(path, right);
  }
});

clause('TL-E5', 'a bundle with too few entries, too many, or a byte left over is refused', async () => {
  const log = logOf(3);
  const path = 'tile/entries/000.p/3';
  const right = log.files.get(path) ?? new Uint8Array();
  for (const wrong of [
    right.slice(0, -1),
    right.slice(0, 18),
    Buffer.concat([right, right.slice(0, 9)]),
    Buffer.concat([right, Buffer.of(0)]),
  ]) {
    log.files.set(path, wrong);
    await expect(new TreeReader(log.source(), log.head).entries().next()).rejects.toThrow(path);
  }
});

test('a file that is not there is no proof of anything', async () => {
  const log = logOf(300);
  log.files.delete('tile/entries/000');
  const error = await new TreeReader(log.source(), log.head)
    .entries()
    .next()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ isMissing: true, recovery: 'retry-later', paths: ['tile/entries/000'] });
});

test('an empty log has its root, no entries and no files', async () => {
  const source = large.source();
  const tree = new TreeReader(source, new BuiltLog().head);
  expect((await tree.entries().next()).done).toBe(true);
  expect(Buffer.from(await tree.rootAt(0)).toString('hex')).toMatch(/^e3b0c442/);
  expect(source.asked).toEqual([]);
});
