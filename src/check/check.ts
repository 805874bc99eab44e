import type { Checked, CheckedFile, Checker, CheckParts } from '../dialects/checker.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DocumentSource } from '../dialects/document-source.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { type CheckReport, checkReportOf, withHints } from './check-report.ts';
import { checkHosting, HOSTING_HINTS } from './hosting.ts';
import { type RememberingSource, rememberAnswers } from './remembering-source.ts';

/** Which dialects to check, and with what. */
export interface CheckWish {
  readonly dialects: readonly Dialect[];
  /** The only dialect to check. Without it, each one that is offered. */
  readonly spec?: string | undefined;
  readonly parts: CheckParts;
  /** Whether reports say what to write for each broken clause. */
  readonly hints?: boolean | undefined;
}

interface Checkable {
  readonly dialect: Dialect;
  readonly checker: Checker;
}

/**
 * Checks a site against every clause of one dialect, or of each that it offers: the report of the first contains those of the others.
 *
 * A site that offers none is checked against the first dialect of the list, which says what is missing. Throws an {@link UnreadableTargetError} if
 * there is nothing to check or nothing can be read now.
 */
export async function checkPlace(source: DocumentSource, wish: CheckWish): Promise<CheckReport> {
  const checkable = await checkersOf(wish);
  const [first] = checkable;
  if (first === undefined) throw new Error('No dialect has a check.');
  if (wish.spec !== undefined) return await checkOne(first, source, wish);
  const place = rememberAnswers(source);
  const { found, unread, isNamed } = await findDialects(place, checkable);
  const checked = await checkEach(found.length === 0 ? [first] : found, place, wish);
  const hosting = isNamed || place.isSilent ? undefined : await checkHosting(place, lostBy(place, checkable, found));
  const hosted = hosting === undefined ? [] : [wish.hints ? withHints(hosting, HOSTING_HINTS) : hosting];
  return joined([...checked.reports, ...hosted], [...unread, ...checked.unread]);
}

/** Checks one file against the clauses of its dialect. */
export async function checkFile(file: CheckedFile, wish: CheckWish): Promise<CheckReport> {
  const checkable = await checkersOf(wish);
  const withFiles = checkable.filter(({ checker }) => checker.file !== undefined);
  const meant = withFiles.find(({ checker }) => checker.file?.holds(file)) ?? withFiles[0];
  const checked = await meant?.checker.file?.check(file, wish.parts);
  if (meant === undefined || checked === undefined) {
    const reason = `it is a file, and ${wish.spec} is checked by the folder or the address of the site`;
    throw new UnreadableTargetError(file.name, reason, 'fix-input');
  }
  return await reportOf(meant, { target: file.name, checked }, wish);
}

async function checkersOf({ dialects, spec }: CheckWish): Promise<readonly Checkable[]> {
  const checkable: Checkable[] = [];
  for (const dialect of dialects) {
    if (spec !== undefined && dialect.name !== spec) continue;
    const checker = await dialect.checker?.();
    if (checker !== undefined) checkable.push({ dialect, checker });
  }
  return checkable;
}

/** The checkers whose documents may have been lost: for a live site if none was found, for a folder always. */
function lostBy({ live }: DocumentSource, checkable: readonly Checkable[], found: readonly Checkable[]): Checker[] {
  return live && found.length > 0 ? [] : checkable.map(({ checker }) => checker);
}

async function checkOne(checkable: Checkable, source: DocumentSource, wish: CheckWish): Promise<CheckReport> {
  const checked = await checkable.checker.check(source, wish.parts);
  return await reportOf(checkable, { target: source.name, checked }, wish);
}

async function reportOf(
  checkable: Checkable,
  { target, checked }: { readonly target: string; readonly checked: Checked },
  { hints }: CheckWish,
): Promise<CheckReport> {
  const report = checkReportOf({ target, spec: checkable.dialect.name }, await clausesOf(checkable), checked);
  return hints ? withHints(report, checkable.checker.hints) : report;
}

async function clausesOf({ dialect }: Checkable) {
  return (await dialect.clauses?.()) ?? [];
}

interface FoundDialects {
  readonly found: readonly Checkable[];
  /** Dialects whose presence cannot be determined now. */
  readonly unread: readonly string[];
  /** The target is a document of one dialect, so no other is looked for. */
  readonly isNamed: boolean;
}

/** Looks for each dialect. If a site does not answer for one, the others still count; if it answers for none, it throws. */
async function findDialects(place: RememberingSource, checkable: readonly Checkable[]): Promise<FoundDialects> {
  const { url } = place;
  const named = checkable.filter(({ checker }) => url !== undefined && checker.names?.(url));
  if (named.length > 0) return { found: named, unread: [], isNamed: true };
  const found: Checkable[] = [];
  const unread: string[] = [];
  let refusal: UnreadableTargetError | undefined;
  for (const each of checkable) {
    if (each.checker.holds === undefined) continue;
    const { name } = each.dialect;
    if (place.isSilent) {
      unread.push(`${name}: it was not asked for`);
      continue;
    }
    try {
      if (await each.checker.holds(place)) found.push(each);
    } catch (error) {
      refusal ??= refusalOf(error);
      unread.push(`${name}: ${refusalOf(error).reason}`);
    }
  }
  if (found.length === 0 && refusal !== undefined) throw refusal;
  return { found, unread, isNamed: false };
}

interface CheckedDialects {
  readonly reports: readonly CheckReport[];
  readonly unread: readonly string[];
}

/** Checks each dialect that was found. An unreadable one does not affect the others, but if it is the last one, its error is thrown. */
async function checkEach(
  found: readonly Checkable[],
  source: DocumentSource,
  wish: CheckWish,
): Promise<CheckedDialects> {
  const reports: CheckReport[] = [];
  const unread: string[] = [];
  for (const [at, each] of found.entries()) {
    try {
      reports.push(await checkOne(each, source, wish));
    } catch (error) {
      const { reason } = refusalOf(error);
      if (reports.length === 0 && at === found.length - 1) throw error;
      unread.push(`${each.dialect.name}: ${reason}`);
    }
  }
  return { reports, unread };
}

/** Rethrows everything that is not an answer of a site. */
function refusalOf(error: unknown): UnreadableTargetError {
  if (error instanceof UnreadableTargetError && error.recovery === 'retry-later') return error;
  throw error;
}

function joined([first, ...others]: readonly CheckReport[], unread: readonly string[]): CheckReport {
  if (first === undefined) throw new Error('There is no report.');
  return {
    ...first,
    ...(unread.length > 0 && { unread: [...(first.unread ?? []), ...unread] }),
    ...(others.length > 0 && { others }),
  };
}
