import type { AuditedFeed, AuditScope } from '../dialects/auditor.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DocumentSource } from '../dialects/document-source.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { type AuditFinding, MAX_FINDINGS, type OpenFinding } from './audit-report.ts';
import { checkFiles } from './check-files.ts';
import { compareFeed } from './compare-feed.ts';
import type { BoundFile, LogKnowledge } from './log-knowledge.ts';

/** How the feeds and files of a place compare with its log. */
export interface AuditedContents {
  /** Findings that may disappear a moment later. */
  readonly open: readonly OpenFinding[];
  readonly lasting: readonly AuditFinding[];
  readonly unread: readonly string[];
  readonly notes: readonly string[];
}

export interface ContentsRequest {
  readonly place: DocumentSource;
  readonly dialects: readonly Dialect[];
  readonly log: LogKnowledge;
  /** An earlier audit checked the entries before this index. */
  readonly from: number;
  readonly onStatus: (line: string) => void;
}

/** How many sources have their separate feeds read in one audit; the most recently changed ones come first. */
const MAX_SOURCES = 50;
/** How many new files of a live place are compared with the log in one audit, and how many that were checked before. */
const MAX_FILES = 5000;
const MAX_OLDER_FILES = 200;

/** Compares the feeds and files of a place with its log. */
export async function auditContents(request: ContentsRequest): Promise<AuditedContents> {
  const { place, log, onStatus } = request;
  const open: OpenFinding[] = [];
  const lasting: AuditFinding[] = [];
  const unread: string[] = [];
  const notes: string[] = [];
  const files = filesOf(request);
  if (files.length < log.files.length) {
    notes.push(
      `Of ${log.files.length} files that the log binds ${files.length} were read: those that are new, and some of the others in turn.`,
    );
  }
  onStatus(`${files.length} files that the log binds`);
  const checked = await checkFiles(place, files, log);
  open.push(...checked.open);
  unread.push(...checked.unread);

  const { scope, omitted } = scopeOf(request);
  if (omitted > 0)
    notes.push(`The own feeds of ${omitted} sources were not read: of one audit at most ${MAX_SOURCES} are.`);
  const feeds = await readFeeds(request, scope, unread);
  for (const feed of feeds) {
    onStatus(`comparing ${feed.where}`);
    const compared = compareFeed(feed, log);
    open.push(...compared.open.slice(0, MAX_FINDINGS));
    lasting.push(...compared.lasting.slice(0, MAX_FINDINGS));
  }
  if (feeds.length === 0 && unread.length === 0) notes.push('There is no feed that could be held against the log.');
  return { open, lasting, unread, notes };
}

/** All files of a folder. For a live place the new ones, and some of the others each time, so that all get their turn. */
function filesOf({ place, log, from }: ContentsRequest): readonly BoundFile[] {
  if (!place.live) return log.files;
  const fresh = log.files.filter(({ index }) => index >= from).slice(-MAX_FILES);
  const older = log.files.filter(({ index }) => index < from);
  const first = older.length <= MAX_OLDER_FILES ? 0 : (log.size * MAX_OLDER_FILES) % older.length;
  return [...fresh, ...[...older.slice(first), ...older.slice(0, first)].slice(0, MAX_OLDER_FILES)];
}

async function readFeeds(
  { place, dialects, onStatus }: ContentsRequest,
  scope: AuditScope,
  unread: string[],
): Promise<readonly AuditedFeed[]> {
  const feeds: AuditedFeed[] = [];
  for (const { name, auditor } of dialects) {
    if (auditor === undefined) continue;
    onStatus(`the feeds of ${name}`);
    try {
      feeds.push(...(await (await auditor()).read(place, scope)));
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      unread.push(`${name}: ${error.message}`);
    }
  }
  return feeds;
}

/** The sources with new changes, the newest first. */
function scopeOf({ log, from }: ContentsRequest): { readonly scope: AuditScope; readonly omitted: number } {
  const fresh = log.changes.filter(({ index }) => index >= from);
  const sources = [...new Set(fresh.map(({ source }) => source).reverse())];
  const sinceMs = from === 0 ? Number.NEGATIVE_INFINITY : (fresh[0]?.timeMs ?? Number.POSITIVE_INFINITY);
  const scope = { sources: sources.slice(0, MAX_SOURCES), sinceMs };
  return { scope, omitted: sources.length - scope.sources.length };
}
