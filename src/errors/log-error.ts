import { TidingsError } from './tidings-error.ts';

const USABLE_FOLDER = 'Check that the folder exists, is writable and on a healthy disk, then run again.';
const USABLE_SERVER = 'Check that the server of the database runs and can be reached from here, then run again.';
/** Matches the URL of a database, as opposed to the path of a file. */
const ADDRESS = /^[a-z][a-z+]+:\/\//i;

/** Something is wrong with the file of a log. */
abstract class LogFileError extends TidingsError {
  readonly file: string;

  constructor(file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.file = file;
  }
}

/** Something is wrong with the folder of a log. */
abstract class LogFolderError extends TidingsError {
  readonly folder: string;

  constructor(folder: string, message: string) {
    super(message);
    this.folder = folder;
  }
}

/** The disk has no room for a batch. Everything stored before stays readable; the batch is not stored. */
export class LogFullError extends LogFileError {
  override readonly name = 'LogFullError';
  readonly recovery = 'retry-later';

  constructor(file: string, cause: unknown) {
    super(
      file,
      `No room to store the changes: ${ADDRESS.test(file) ? `the server of ${file} has no space left` : `the disk of ${file} is full`}. Nothing of this batch is stored. Free space, then run again.`,
      { cause },
    );
  }
}

/** Another process, or another handle in this process, writes to the same folder. */
export class LogLockedError extends LogFolderError {
  override readonly name = 'LogLockedError';
  readonly recovery = 'retry-later';

  constructor(folder: string, purpose: string) {
    super(
      folder,
      `Cannot ${purpose}: ${folder} is in use by another Tidings writer. Wait until it ends, or name another folder. ` +
        'The lock ends with its process; no file needs to be removed by hand.',
    );
  }
}

/** The place given to a reader holds no log. */
export class LogMissingError extends LogFileError {
  override readonly name = 'LogMissingError';
  readonly recovery = 'fix-input';

  constructor(file: string) {
    super(file, `${file} holds no log. Name the folder that an earlier run has written.`);
  }
}

/** The log of published feeds is missing or does not contain what they report: continuing would publish a different history. */
export class LogLostError extends LogFolderError {
  override readonly name = 'LogLostError';
  readonly recovery = 'fix-input';

  /** `what` begins with the name of a file: `tidings.db is missing`. */
  constructor(folder: string, what: string) {
    super(
      folder,
      `${folder}: ${what}, but feeds that were published from it lie beside it. Nothing was started and nothing was written. ` +
        `Bring a copy made by "tidings backup" back with: tidings restore <file> --data ${folder}. Without one, name an empty ` +
        'data folder: readers then start anew.',
    );
  }
}

/** The place of the log cannot be used now: permissions, a read-only or failing disk, or a database that does not answer. The log itself is complete. */
export class LogUnavailableError extends LogFileError {
  override readonly name = 'LogUnavailableError';
  readonly recovery = 'retry-later';

  /** `file`: a path, or the URL of a database. */
  constructor(file: string, cause: unknown, remedy = ADDRESS.test(file) ? USABLE_SERVER : USABLE_FOLDER) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(file, `Cannot use ${file}: ${reason}. ${remedy}`, { cause });
  }
}
