import { expect, test } from 'vitest';
import { BuiltLog } from '../../test/support/built-log.ts';
import { leafHash } from '../codecs/tlog/tree-hash.ts';
import { verifyConsistency, verifyInclusion } from '../codecs/tlog/verify-proof.ts';
import { sha256 } from './sha256.ts';
import { TreeReader } from './tree-reader.ts';

test('a tree of three levels of tiles is read, and proofs between its sizes verify with few requests', async () => {
  const log = new BuiltLog();
  const heads = [1, 7, 256, 300, 65_535, 65_536, 65_537, 70_000].map((size) => {
    log.append(...Array.from({ length: size - log.head.treeSize }, (_, at) => `entry-${log.head.treeSize + at}`));
    return log.head;
  });
  expect(Buffer.from(log.head.rootHash).toString('hex')).toBe(
    'a62a54be33294ffd5a5c4c637fd754630b71a892e8356e3a666a5c8a7ffd1518',
  );
  for (const head of heads) {
    const source = log.source();
    const tree = new TreeReader(source, head);
    for (const old of heads.filter(({ treeSize }) => treeSize <= head.treeSize)) {
      const proof = await tree.consistencyProof(old.treeSize);
      expect(verifyConsistency(old, head, { proof, sha256 }).ok).toBe(true);
      expect(Buffer.from(old.rootHash).equals(await tree.rootAt(old.treeSize))).toBe(true);
      const index = old.treeSize - 1;
      const hash = leafHash(log.entries[index] ?? new Uint8Array(), sha256);
      expect(verifyInclusion({ index, hash, proof: await tree.inclusionProof(index) }, head, sha256).ok).toBe(true);
    }
    expect(source.asked.length).toBeLessThanOrEqual(10);
  }

  const source = log.source();
  let next = 0;
  for await (const { index } of new TreeReader(source, log.head).entries()) next += index === next ? 1 : 0;
  expect(next).toBe(70_000);
  expect(source.asked.filter((path) => path.startsWith('tile/entries/'))).toHaveLength(274);
  expect(new Set(source.asked).size).toBe(source.asked.length);
});
