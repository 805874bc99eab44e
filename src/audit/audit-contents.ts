import type { AuditedFeed, AuditScope } from '../dialects/auditor.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DocumentSource } from '../dialects/document-source.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { type AuditFinding, MAX_FINDINGS, type OpenFinding } from './audit-report.ts';
import { checkFiles } from './check-files.ts';
import { compareFeed } from './compare-feed.ts';
import type { BoundFile, LogKnowledge } from './log-knowledge.ts';

/** What feeds and files say beside the log. */
export interface AuditedContents {
  /** What a moment later may be gone. */
  readonly open: readonly OpenFinding[];
  readonly lasting: readonly AuditFinding[];
  readonly unread: readonly string[];
  readonly notes: readonly string[];
}

export interface ContentsRequest {
  readonly place: DocumentSource;
  readonly dialects: readonly Dialect[];
  readonly log: LogKnowledge;
  /** Entries before that index were looked at in an earlier audit. */
  readonly from: number;
  readonly onStatus: (line: string) => void;
}

/** Own feeds of more sources are not read in one audit: those that changed last come first. */
const MAX_SOURCES = 50;
/** More new files of a live place are not held against the log in one audit, and more that were looked at before. */
const MAX_FILES = 5000;
const MAX_OLDER_FILES = 200;

/** Holds the feeds and files of a place against its log. */
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

/** All of a folder. Of a live place those that are new, and of the others so many each time that all have their turn. */
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

/** The sources whose changes are new, the newest first. */
function scopeOf({ log, from }: ContentsRequest): { readonly scope: AuditScope; readonly omitted: number } {
  const fresh = log.changes.filter(({ index }) => index >= from);
  const sources = [...new Set(fresh.map(({ source }) => source).reverse())];
  const sinceMs = from === 0 ? Number.NEGATIVE_INFINITY : (fresh[0]?.timeMs ?? Number.POSITIVE_INFINITY);
  const scope = { sources: sources.slice(0, MAX_SOURCES), sinceMs };
  return { scope, omitted: sources.length - scope.sources.length };
}
