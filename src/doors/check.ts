import { type CheckReport, checkTarget } from '../check/check.ts';
import { createFolderSource } from '../check/folder-source.ts';
import { createHttpSource } from '../check/http-source.ts';
import type { Finding } from '../codecs/primitives/finding.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { createFileFolder } from '../io/file-folder.ts';
import { type HttpOptions, openHttp } from './open-http.ts';

export type { CheckReport };

export interface CheckOptions extends HttpOptions {
  /** Which specification. Default `aicf`. */
  readonly spec?: 'aicf';
}

/**
 * What is wrong with the feed of a live site or of a folder with a published one. Nothing, when the list is empty.
 *
 * Throws an {@link UnreadableTargetError} when there is nothing to check: no answer, or a folder without a feed.
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
  if (spec !== 'aicf')
    throw new UnreadableTargetError(target, `there is no check for "${spec}" (but "aicf")`, 'fix-config');
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(target)) return checkTarget(await createFolderSource(createFileFolder(target)));

  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UnreadableTargetError(target, 'it is no http or https URL', 'fix-input');
  }
  await using http = await openHttp(options);
  return await checkTarget(createHttpSource(http, url));
}
