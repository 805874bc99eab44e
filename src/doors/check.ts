import { type CheckedSpec, type CheckReport, checkAIDocuments, checkTarget } from '../check/check.ts';
import { createFolderSource } from '../check/folder-source.ts';
import { fetchDocument, readDocuments } from '../check/gather-documents.ts';
import { createHttpSource } from '../check/http-source.ts';
import type { Finding } from '../codecs/primitives/finding.ts';
import { FolderError } from '../errors/folder-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { createFileFolder } from '../io/file-folder.ts';
import { openJsonFiles } from '../io/file-json-files.ts';
import { type HttpOptions, openHttp } from './open-http.ts';

export type { CheckReport };

export interface CheckOptions extends HttpOptions {
  /** Which specification. Default `aicf`. */
  readonly spec?: CheckedSpec;
}

/**
 * What is wrong with the feed of a live site or of a folder with a published one (`aicf`), or with the AIDocuments of a
 * file, a folder or a URL (`aiwebindex`). Nothing, when the list is empty.
 *
 * Throws an {@link UnreadableTargetError} when there is nothing to check: no answer, or a folder without a feed or a
 * document.
 *
 * @example
 * for (const { clause, where, seen, remedy } of await check('./site')) {
 *   console.log(`${clause} ${where}: ${seen} ${remedy}`);
 * }
 */
export async function check(target: string, options: CheckOptions = {}): Promise<Finding[]> {
  const report = await checkReport(target, options);
  return [...report.findings];
}

/**
 * The same with every clause of the specification: passed, failed, or not checkable and why.
 *
 * @example
 * const { clauses } = await checkReport('https://docs.example/');
 * console.log(clauses.filter(({ status }) => status === 'fail').map(({ id }) => id));
 */
export async function checkReport(target: string, options: CheckOptions = {}): Promise<CheckReport> {
  const { spec = 'aicf' } = options;
  if (!SPECS.includes(spec)) {
    const known = SPECS.map((name) => `"${name}"`).join(' and ');
    throw new UnreadableTargetError(target, `there is no check for "${spec}" (but for ${known})`, 'fix-config');
  }
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(target)) return spec === 'aicf' ? checkFolder(target) : checkFiles(target);

  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UnreadableTargetError(target, 'it is no http or https URL', 'fix-input');
  }
  await using http = await openHttp(options);
  if (spec === 'aicf') return await checkTarget(createHttpSource(http, url));
  return checkAIDocuments(url.href, await fetchDocument(http, url));
}

const SPECS: readonly CheckedSpec[] = ['aicf', 'aiwebindex'];

async function checkFolder(target: string): Promise<CheckReport> {
  return checkTarget(await createFolderSource(createFileFolder(target)));
}

async function checkFiles(target: string): Promise<CheckReport> {
  try {
    return checkAIDocuments(target, await readDocuments(target, await openJsonFiles(target)));
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new UnreadableTargetError(target, error.message, error.recovery, error);
  }
}
