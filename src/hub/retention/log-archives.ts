import type { Change } from '../../model/change.ts';

/** What was cut off the log, as one file: gzipped NDJSON, one change per line, as in `/api/v1/changes`. */
export interface LogArchive {
  /** `changes-1-5000.ndjson.gz`: the first and the last `seq` in it. */
  readonly name: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
}

/** The archives of a log. They are written once, before the log is cut, and never changed. */
export interface LogArchives {
  /** In order of `seq`. */
  list(): Promise<readonly LogArchive[]>;
  /** Durable when it resolves. One that is there already, of the same changes, is left as it is. */
  write(changes: AsyncIterable<Change>): Promise<LogArchive | undefined>;
  /** The archive that would hold a change with this id: ids rise with `seq`. Undefined if none reaches so far back. */
  holding(id: string): Promise<LogArchive | undefined>;
  /** Undefined when there is none of that name. */
  read(name: string): Promise<{ readonly bytes: number; readonly body: AsyncIterable<Uint8Array> } | undefined>;
}
