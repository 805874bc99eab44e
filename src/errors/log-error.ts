import { TidingsError } from './tidings-error.ts';

/** The disk has no room for a batch. What was stored before stays readable; the batch is not stored. */
export class LogFullError extends TidingsError {
  override readonly name = 'LogFullError';
  readonly recovery = 'retry-later';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(
      `No room to store the changes: the disk of ${file} is full. Nothing of this batch is stored. Free space, then run again.`,
      { cause },
    );
    this.file = file;
  }
}

/** Another process, or another handle of this one, writes to the same folder. */
export class LogLockedError extends TidingsError {
  override readonly name = 'LogLockedError';
  readonly recovery = 'retry-later';
  readonly folder: string;

  constructor(folder: string, purpose: string) {
    super(
      `Cannot ${purpose}: ${folder} is in use by another Tidings writer. Wait until it ends, or name another folder. ` +
        'The lock ends with its process; no file needs to be removed by hand.',
    );
    this.folder = folder;
  }
}

/** A reader was pointed at a place that holds no log. */
export class LogMissingError extends TidingsError {
  override readonly name = 'LogMissingError';
  readonly recovery = 'fix-input';
  readonly file: string;

  constructor(file: string) {
    super(`${file} holds no log. Name the folder that an earlier run has written.`);
    this.file = file;
  }
}

/** The log beside published feeds is gone, or does not hold what they tell: going on would publish another past. */
export class LogLostError extends TidingsError {
  override readonly name = 'LogLostError';
  readonly recovery = 'fix-input';
  readonly folder: string;

  /** `what` begins with the name of a file: `tidings.db is missing`. */
  constructor(folder: string, what: string) {
    super(
      `${folder}: ${what}, but feeds that were published from it lie beside it. Nothing was started and nothing was written. ` +
        `Bring a copy made by "tidings backup" back with: tidings restore <file> --data ${folder}. Without one, name an empty ` +
        'data folder: readers then start anew.',
    );
    this.folder = folder;
  }
}

/** The place of the log cannot be used now: permissions, a read-only disk, a failing one. Nothing of the log is lost by it. */
export class LogUnavailableError extends TidingsError {
  override readonly name = 'LogUnavailableError';
  readonly recovery = 'retry-later';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `Cannot use ${file}: ${reason}. Check that the folder exists, is writable and on a healthy disk, then run again.`,
      { cause },
    );
    this.file = file;
  }
}
