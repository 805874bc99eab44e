import { encodeEntry } from '../../src/codecs/tlog/encode-entry.ts';
import type { ChangeLogEntry } from '../../src/codecs/tlog/entry.ts';
import { GrowingTree } from '../../src/codecs/tlog/growing-tree.ts';
import { hashTexts, type SaltedTexts } from '../../src/codecs/tlog/hashed-text.ts';
import type { Receipt } from '../../src/codecs/tlog/receipt.ts';
import { signCheckpoint } from '../../src/codecs/tlog/sign-checkpoint.ts';
import { LOG, leafAt, sha256, type testKey } from '../../src/codecs/tlog/tlog-fixtures.contract.ts';
import { leafHash } from '../../src/codecs/tlog/tree-hash.ts';
import { proveInclusion } from '../../src/codecs/tlog/tree-proofs.ts';
import { encodeVerifierKey } from '../../src/codecs/tlog/verifier-key.ts';

const TEXTS = { title: 'Prices', excerpt: 'It costs 20 €.' };

/** A receipt of entry 3 in a log of 7. Default: signed with the test key of the fixtures. */
export function testReceipt(
  change: Partial<ChangeLogEntry> = {},
  { texts = TEXTS, log = LOG }: { texts?: Readonly<Record<string, string>>; log?: ReturnType<typeof testKey> } = {},
): Receipt {
  const salted: SaltedTexts = Object.fromEntries(
    Object.entries(texts).map(([field, text], at) => [field, { salt: `0${at}`.repeat(32), text }]),
  );
  const entry = encodeEntry(
    {
      ...{ v: 1, type: 'change', id: '01JD0000000000000000000000', seq: 3, source: 'docs', kind: 'page' },
      ...{ action: 'update', url: 'https://docs.example/prices', anchor: 'tiers', time: '2026-11-18T01:02:03Z' },
      provenance: { by: 'compare' },
      hashed: hashTexts(salted, sha256),
      ...change,
    },
    sha256,
  );
  const leaves = Array.from({ length: 7 }, (_, at) => (at === 3 ? leafHash(entry, sha256) : leafAt(at)));
  const tree = new GrowingTree(sha256);
  for (const leaf of leaves) tree.append(leaf);
  const hashAt = (_level: number, at: number) => leaves[at] ?? new Uint8Array();
  const checkpoint = { origin: log.key.name, treeSize: 7, rootHash: tree.root() };
  return {
    entry: new TextDecoder().decode(entry),
    texts: salted,
    index: 3,
    proof: proveInclusion(3, 7, { hashAt, sha256 }),
    checkpoint: signCheckpoint(checkpoint, log.key, log.sign),
    vkey: encodeVerifierKey(log.key),
  };
}
