import { isSameBytes } from '../../../codecs/primitives/bytes.ts';
import { encodeTilePath } from '../../../codecs/tlog/tile-path.ts';
import type { Change } from '../../../model/change.ts';
import type { Place } from '../../../model/folder.ts';
import { fileDigest } from '../../../tlog/file-digest.ts';
import type { GrownTree } from '../../../tlog/grow-tree.ts';
import { chainLines, NO_LINES } from '../publish/chain-lines.ts';
import { indexEntries } from '../publish/index-entries.ts';
import { cutAll, partialsOf } from '../publish/project-log.ts';
import { decodeTreeFile, encodeTreeFile, TREE_FILE, type TreeFile } from '../publish/tree-file.ts';
import { LOG_NAME } from './fsck-changes.ts';
import type { FsckFinding } from './fsck-finding.ts';
import { otherBytes } from './fsck-tiles.ts';

/** Compares tree.json with the entries, and log.ndjson with its digest in tree.json. */
export async function fsckTreeFile(
  state: Place,
  whole: GrownTree,
  { entries, changes }: { readonly entries: readonly Uint8Array[]; readonly changes: readonly Change[] },
): Promise<{ readonly tree?: TreeFile; readonly findings: readonly FsckFinding[] }> {
  const where = TREE_FILE;
  const bytes = await state.read(TREE_FILE);
  if (bytes === undefined) return { findings: [{ what: 'It is missing. The next publish makes it again.', where }] };
  const tree = decodeTreeFile(bytes);
  if (tree === undefined) return { findings: [{ what: 'It does not tell where the provable log stands.', where }] };
  const findings: FsckFinding[] = [];
  if (tree.edge.size > whole.edge.size) {
    const what = `It is ahead of the checkpoint: a publish was cut off behind entry ${tree.edge.size - 1}. The next one completes it.`;
    return { tree, findings: [{ what, where }] };
  }
  const { files, ...index } = indexEntries(entries, LOG_NAME);
  const expected: TreeFile = {
    ...tree,
    edge: whole.edge,
    filled: entries.slice(
      entries.length - whole.edge.entries.length - tree.filled.length,
      entries.length - whole.edge.entries.length,
    ),
    changes: index.changes,
    ...(index.last !== undefined && { last: index.last }),
    partials: [...tree.partials],
  };
  const isMade = isSameBytes(encodeTreeFile(expected), bytes);
  const lacking = partialsOf(whole.edge.size).filter((path) => !tree.partials.includes(path));
  const other = [...tree.files].find(([path, digest]) => files.get(path) !== digest);
  if (!isMade || lacking.length > 0 || other !== undefined) {
    findings.push({ what: 'It says something else than the entries of the log do.', where });
  }
  if (chainLines(NO_LINES, changes.slice(0, tree.changes)) !== tree.chain) {
    findings.push({ what: `It has other bytes than those that ${TREE_FILE} has the digest of.`, where: LOG_NAME });
  }
  return { tree, findings };
}

/** Compares the partial tiles of earlier checkpoints, and any other files among the tiles, with the entries. */
export async function fsckTileFiles(
  place: Place,
  whole: GrownTree,
  paths: readonly string[],
): Promise<readonly FsckFinding[]> {
  const findings: FsckFinding[] = [];
  const known = new Map(cutAll(whole, paths).map(({ path, bytes }) => [path, bytes]));
  const own = new Set(whole.tiles.map(encodeTilePath));
  for (const where of new Set(paths)) {
    const expected = known.get(where);
    if (own.has(where) || where.endsWith(TEMPORARY)) continue;
    if (expected === undefined) findings.push({ what: 'No checkpoint of this log needs it.', where });
    else findings.push(...(await otherBytes(place, where, expected)));
  }
  return findings;
}

/** Left behind by a killed run; nobody reads it. */
const TEMPORARY = '.tidings-tmp';

/** Compares the published files with the entries about them. */
export async function fsckFiles(site: Place, files: ReadonlyMap<string, string>): Promise<readonly FsckFinding[]> {
  const findings: FsckFinding[] = [];
  for (const [where, digest] of files) {
    const bytes = await site.read(where);
    if (bytes === undefined) findings.push({ what: 'It is missing.', where });
    else if (fileDigest(bytes) !== digest)
      findings.push({ what: 'It has other bytes than its newest entry in the log says.', where });
  }
  return findings;
}
