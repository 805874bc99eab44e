import { oneLine } from '../codecs/primitives/one-line.ts';
import { ExitCode } from './exit-code.ts';
import type { ReadAnswer } from './read-answer.ts';
import type { ReadRequest } from './read-options.ts';
import type { World } from './world.ts';

/** Says what a user should know of an answer, and with which code it ends. */
export function readEnding(answer: ReadAnswer, request: ReadRequest, world: World): ExitCode {
  const { origin, trust, polled, problem, suspended } = answer;
  if (!polled) world.complain(`tidings: ${origin} was not asked: this is what is known of it.${nextPollOf(answer)}`);
  if (problem !== undefined) {
    world.complain(`tidings: ${origin} was not read to the end: ${oneLine(problem)}${hintFor(problem)}`);
  }
  if (suspended !== undefined) {
    world.complain(`tidings: nothing of ${origin} counts for now: ${oneLine(suspended)}`);
    return ExitCode.SafetyStop;
  }
  if (!trust) {
    world.complain(`tidings: ${origin} is not trusted. ${remedyOf(answer, request)}`);
    return ExitCode.SafetyStop;
  }
  return problem === undefined ? ExitCode.Done : ExitCode.Incomplete;
}

/** The option that solves a problem, if the user knows that it is acceptable. */
function hintFor(problem: string): string {
  if (problem.includes('acceptMulticodecKeys')) return ' --accept-multicodec-keys reads such keys.';
  if (!/unable to (?:verify|get)|self.signed/i.test(problem)) return '';
  return ' If you know the authority that signed its certificate, name it with --ca.';
}

function nextPollOf({ pausedUntil, nextPollAt }: ReadAnswer): string {
  if (pausedUntil !== undefined) return ` It asked for a pause until ${pausedUntil}; nothing but that ends it.`;
  return nextPollAt === null ? '' : ` The next poll may be at ${nextPollAt}. --refresh asks at once.`;
}

function remedyOf(answer: ReadAnswer, { retrust, followMigration }: ReadRequest): string {
  const { feedStatus } = answer;
  if (feedStatus === 'migrated') return movedWords(answer, followMigration);
  const said = feedStatus === null ? '' : `Its feed says ${feedStatus === '' ? 'nothing' : oneLine(feedStatus)}.`;
  return retrust ? said : `${said} If you know better, say --retrust.`.trim();
}

function movedWords({ migratedTo, problem, events }: ReadAnswer, followMigration: boolean): string {
  if (migratedTo === undefined) return 'Its feed says migrated, and not where to.';
  const moved = `Its feed says that it moved to ${oneLine(migratedTo)}.`;
  const refused = events.flatMap((event) => (event.event === 'migrated' ? (event.refused ?? []) : [])).at(-1);
  const reason = refused === undefined ? moved : `${moved} ${oneLine(refused)}`;
  // Plain http is read under no option.
  const mayFollow = !followMigration && problem === undefined && /^https:/i.test(migratedTo);
  return mayFollow ? `${reason} If you know that it did, say --follow-migration.` : reason;
}
