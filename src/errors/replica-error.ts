import { CodedError } from './coded-error.ts';

/** The journal does not contain what this replica has: it was restored from a backup, or belongs to another hub. */
export function otherHistoryError(what: string): CodedError {
  const remedy =
    'Move the data folder away (keep it until you are sure that nothing is missed): it is filled again from the database.';
  return new CodedError(
    'OtherHistoryError',
    'stop',
    `This replica and the database are not of one history: ${what}. ${remedy}`,
  );
}

/** A newer version wrote it. */
export function unknownWriteError(kind: string): CodedError {
  const message = `The journal holds a write of the kind "${kind}", which this Tidings does not know. Nothing of it was applied. Upgrade Tidings here, then start again.`;
  return new CodedError('UnknownWriteError', 'fix-config', message, { kind });
}

/** Another server may already have the change. */
export function replicaBehindError(id: string): CodedError {
  const message =
    `This server does not have a change ${id}, and cannot know now whether the hub has: it is behind the others, or its database cannot be reached. ` +
    'Ask again, here or at another server; the cursor stays good.';
  return new CodedError('ReplicaBehindError', 'retry-later', message);
}
