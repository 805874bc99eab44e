import { compareCodePoints } from '../primitives/code-points.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { documentText, type SeenDocument } from '../primitives/seen-document.ts';
import { decodeEvent } from './decode.ts';
import type { AicfSeen } from './seen.ts';

interface FeedFile {
  readonly where: string;
  /** In feed order. */
  readonly ids: readonly string[];
  readonly lineOf: ReadonlyMap<string, string>;
}

/** Checks the feed together with the earlier files that discovery names: nothing is lost or rewritten, and the newest events are in `self`. */
export function checkRotation({ feed, archives = [] }: AicfSeen, ledger: Ledger): void {
  if (archives.length === 0) {
    ledger.skipped('Discovery names no earlier files.', 'AICF-P4', 'AICF-P5', 'AICF-P6');
    return;
  }
  ledger.looked('AICF-P4', 'AICF-P5', 'AICF-P6');
  const files = archives.flatMap((archive) => readArchive(archive, ledger));
  const current = feed === undefined ? undefined : fileOf(feed);
  if (current === undefined) return;

  if (archives.some((archive) => archive.where === current.where)) {
    const remedy = 'List earlier files only, and let `self` name a file that is still written to.';
    ledger.note({ clause: 'AICF-P5', where: current.where, seen: '`self` is among the `archives`.', remedy });
    return;
  }
  const all = [...files, current];
  all.slice(1).forEach((newer, index) => {
    const older = all[index];
    if (older !== undefined) checkSeam(older, newer, ledger);
  });
}

function readArchive(archive: SeenDocument, ledger: Ledger): FeedFile[] {
  const file = fileOf(archive);
  if (file !== undefined && file.ids.length > 0) return [file];
  ledger.note({
    clause: 'AICF-P6',
    where: archive.where,
    seen: file === undefined ? failureOf(archive) : 'The earlier file holds no event.',
    remedy: 'Keep serving every file that `archives` names, so that readers who were away can catch up.',
  });
  return [];
}

function failureOf(archive: SeenDocument): string {
  return archive.kind === 'unread' ? archive.failure : `The earlier file cannot be had: status ${archive.status}.`;
}

function checkSeam(older: FeedFile, newer: FeedFile, ledger: Ledger): void {
  const lastId = older.ids.at(-1);
  const newestId = newer.ids.at(-1);
  if (lastId === undefined) return;

  for (const [id, line] of newer.lineOf) {
    const past = older.lineOf.get(id);
    if (past === undefined || past === line) continue;
    ledger.note({
      clause: 'AICF-P1',
      where: newer.where,
      seen: `The line of ${JSON.stringify(id)} is another one than in ${older.where}.`,
      remedy: 'Copy lines byte for byte when a new file begins.',
    });
  }
  if (newestId === undefined || compareCodePoints(newestId, lastId) < 0) {
    ledger.note({
      clause: 'AICF-P5',
      where: newer.where,
      seen: `Its newest event is older than the newest of ${older.where}.`,
      remedy: 'Let `self` name the newest file and `archives` the earlier ones, oldest first.',
    });
  } else if (!newer.lineOf.has(lastId)) {
    ledger.note({
      clause: 'AICF-P6',
      level: 'SHOULD',
      where: newer.where,
      seen: `It does not repeat the last event of ${older.where}, so a reader cannot know that none is missing.`,
      remedy: 'Begin a new file with copies of the last lines of the one before it.',
    });
  }
}

function fileOf(document: SeenDocument): FeedFile | undefined {
  if (document.kind === 'unread' || document.status !== 200) return undefined;
  const lineOf = new Map<string, string>();
  for (const line of documentText(document).text.replace('\uFEFF', '').split('\n')) {
    const decoded = decodeEvent(line);
    if (decoded.ok && !lineOf.has(decoded.value.id)) lineOf.set(decoded.value.id, line);
  }
  return { where: document.where, ids: [...lineOf.keys()], lineOf };
}
