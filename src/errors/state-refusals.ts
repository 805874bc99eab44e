/** Files and logs of Tidings from which it cannot continue. Nothing was written. */

import { CodedError } from './coded-error.ts';

/** A published archive is missing or was altered. What was served once must stay, so the run does not continue without it. */
export function archiveUnreadError(place: string, what: string): CodedError {
  const remedy =
    'Put the file back as it was published; one that is missing is also taken from the site ' +
    'that --previous names. Or move the archive and diff folders away: then all are made again from the log.';
  return new CodedError('ArchiveUnreadError', 'fix-input', `${place} ${what} No feed was written. ${remedy}`, {
    place,
  });
}

/** A run that changed something would get the cursor of the previous run: readers would miss it. */
export function cursorStuckError(feed: string, cursor: string): CodedError {
  const message =
    `The DiffDelta feed ${feed} changed, but its cursor would still be ${cursor}. Nothing was written. ` +
    'This should not be possible: please report it, with the log.';
  return new CodedError('CursorStuckError', 'stop', message, { feed, cursor });
}

/** A feed reports a collection that the state does not know: everything would be reported in it again. */
export function otherStateError(file: string): CodedError {
  const remedy = 'Give that one with --state, move the feeds away, or go on with --from-now.';
  const message = `${file} was made with another state. Nothing was added to it. ${remedy}`;
  return new CodedError('OtherStateError', 'fix-input', message, { file });
}

/** Two places that should report the same history report different ones. */
export function stateContradictionError(places: readonly string[], why: string, remedy: string): CodedError {
  const message = `${places.join(' and ')} contradict each other: ${why} Nothing was written. ${remedy}`;
  return new CodedError('StateContradictionError', 'fix-input', message, { places });
}

/** A draft that the log refuses; `index` is its position in the batch, from 0. Nothing of the batch is stored. */
export function invalidChangeError(index: number, field: string, problem: string): CodedError {
  const message = `Change ${index} of the batch: ${field} ${problem}. Nothing of the batch is stored.`;
  return new CodedError('InvalidChangeError', 'fix-input', message, { index, field });
}

/** Another follower, in this process or another one, uses the same state file. */
export function followLockedError(file: string): CodedError {
  const message =
    `${file} is in use by another follower. Wait until it ends, or name another --state. ` +
    'The lock ends with its process; no file needs to be removed by hand.';
  return new CodedError('FollowLockedError', 'retry-later', message, { file });
}
