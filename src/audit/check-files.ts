import { encodeHex } from '../codecs/primitives/hex.ts';
import { addressBelow, isOutside } from '../dialects/audited-document.ts';
import { answerOf, type DocumentSource } from '../dialects/document-source.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { sha256 } from '../tlog/sha256.ts';
import type { OpenFinding } from './audit-report.ts';
import type { BoundFile, LogKnowledge } from './log-knowledge.ts';

export interface CheckedFiles {
  /** These may disappear a moment later: a file is written before the log names it. */
  readonly open: readonly OpenFinding[];
  readonly unread: readonly string[];
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** After this many failures in a row, further requests are useless now. */
const MAX_FAILURES = 3;

/** Compares each file with the hash by which the log binds it. */
export async function checkFiles(
  place: DocumentSource,
  files: readonly BoundFile[],
  log: LogKnowledge,
): Promise<CheckedFiles> {
  const open: OpenFinding[] = [];
  const unread: string[] = [];
  for (const [at, file] of files.entries()) {
    if (unread.length >= MAX_FAILURES) {
      unread.push(`${files.length - at} more files that the log binds`);
      break;
    }
    try {
      const finding = await checkFile(place, file, log);
      if (finding !== undefined) open.push(finding);
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      unread.push(`${file.path}: ${error.message}`);
    }
  }
  return { open, unread };
}

async function checkFile(
  place: DocumentSource,
  { path, sha256: wanted, index }: BoundFile,
  log: LogKnowledge,
): Promise<OpenFinding | undefined> {
  const limits = { maxBodyBytes: MAX_FILE_BYTES, maxFileBytes: MAX_FILE_BYTES };
  const address = addressBelow(place, path);
  const document = answerOf(place, await place.read(address, limits));
  const isThere = document.status === 200 && !isOutside(place, address, document);
  if (!isThere && wanted === undefined) return undefined;
  const served = isThere ? encodeHex(sha256(document.bytes)) : undefined;
  if (served === wanted) return undefined;
  const what = !isThere
    ? `${path} is not there, and entry ${index} of the log says what it holds.`
    : wanted === undefined
      ? `${path} is there, and entry ${index} of the log says that it is gone.`
      : `${path} is not what entry ${index} of the log says.`;
  const evidence = { path, index, logged: wanted ?? null, served: served ?? null };
  // A changing document is written before the log names it, so a later entry must match. An earlier one would be an old copy.
  return { finding: { what, where: document.where, evidence }, isLogged: () => log.isBoundAfter(index, path, served) };
}
