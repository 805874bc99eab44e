import { join } from 'node:path';
import { LOG_PREFIX } from '../codecs/tlog/log-origin.ts';
import { fsckChanges, LOG_NAME } from '../dialects/tlog/fsck/fsck-changes.ts';
import type { FsckFinding } from '../dialects/tlog/fsck/fsck-finding.ts';
import { fsckCheckpoint, fsckTiles } from '../dialects/tlog/fsck/fsck-tiles.ts';
import { fsckFiles, fsckTileFiles, fsckTreeFile } from '../dialects/tlog/fsck/fsck-tree-file.ts';
import { CHECKPOINT } from '../dialects/tlog/publish/log-paths.ts';
import { TREE_FILE } from '../dialects/tlog/publish/tree-file.ts';
import { LogMissingError } from '../errors/log-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { filesBelow } from '../io/files/list-files.ts';
import type { LogFile } from '../log/log-file.ts';
import { decodeLogParts, readLogParts } from '../log/log-parts.ts';
import type { Folder, Place } from '../model/folder.ts';
import { loadState, PAGES_FILE } from '../produce/load-state.ts';

export type { FsckFinding };

export interface FsckReport {
  readonly ok: boolean;
  /** The number of entries that the signed checkpoint covers. */
  readonly size: number;
  readonly findings: readonly FsckFinding[];
}

export interface FsckOptions {
  /** The folder of log.ndjson, if it is not on the site itself. */
  readonly state?: string;
}

/**
 * Rebuilds every tile of the provable log of a published folder from its entries, and compares log.ndjson and every file in the log with them. Only reads.
 * Throws a {@link LogMissingError} if there is no provable log.
 *
 * @example
 * const { ok, findings } = await fsckFolder('./site');
 */
export async function fsckFolder(folder: string, options: FsckOptions = {}): Promise<FsckReport> {
  const prefix = join(folder, LOG_PREFIX);
  const place = createFileFolder(prefix);
  const state = createFileFolder(options.state ?? prefix);
  if (place.sizeOf(CHECKPOINT) === undefined && state.sizeOf(TREE_FILE) === undefined)
    throw new LogMissingError(folder);

  const { checkpoint, findings: signed } = await fsckCheckpoint(place);
  if (checkpoint === undefined) return { ok: false, size: 0, findings: signed };
  const { entries, whole, findings: tiled } = await fsckTiles(place, checkpoint);
  const findings = [...signed, ...tiled];
  const { log, finding } = await readLogOf(state);
  if (finding !== undefined) findings.push(finding);
  if (whole !== undefined) {
    if (log !== undefined) findings.push(...fsckChanges(entries, log.changes));
    const kept = await fsckTreeFile(state, whole, { entries, changes: log?.changes ?? [] });
    const partials = kept.tree?.partials ?? [];
    const listed = filesBelow(join(prefix, 'tile')).map((path) => `tile/${path}`);
    findings.push(...kept.findings, ...(await fsckTileFiles(place, whole, [...partials, ...listed])));
    findings.push(...(await fsckFiles(createFileFolder(folder), kept.tree?.files ?? new Map())));
  }
  if (log !== undefined) findings.push(...(await stateFindings(state, log.site)));
  return { ok: findings.length === 0, size: checkpoint.treeSize, findings };
}

async function readLogOf(state: Place): Promise<{ readonly log?: LogFile; readonly finding?: FsckFinding }> {
  try {
    const parts = await readLogParts(state);
    if (parts.length === 0) return { finding: { what: 'It is missing.', where: LOG_NAME } };
    return { log: decodeLogParts(parts, state.name) };
  } catch (error) {
    return { finding: findingOf(error, LOG_NAME) };
  }
}

/** The page state has its own digests. */
async function stateFindings(state: Folder, site: string): Promise<readonly FsckFinding[]> {
  if (state.sizeOf(PAGES_FILE) === undefined) return [{ what: 'It is missing.', where: PAGES_FILE }];
  try {
    await loadState([state], new URL(site));
    return [];
  } catch (error) {
    return [findingOf(error, PAGES_FILE)];
  }
}

function findingOf(error: unknown, where: string): FsckFinding {
  if (error instanceof TidingsError || error instanceof TypeError) return { what: error.message, where };
  throw error;
}
