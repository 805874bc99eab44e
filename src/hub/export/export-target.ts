import type { Artifact } from '../../model/artifact.ts';

/** A file as it lies at a target. */
export interface TargetFile {
  readonly bytes: number;
  /** Another one when it was written again. */
  readonly stamp: string;
}

/**
 * Where a hub is written out to: a folder, or a bucket.
 *
 * A reader there sees a file as it was before or after a write, never half of it; a file is durable when its write resolves. Paths are relative, with `/`
 * between names. Throws a {@link TidingsError} for read and write errors.
 */
export interface ExportTarget {
  /** How messages call it. */
  readonly name: string;
  /** Headers are not stored with each file, but in separate header files. */
  readonly wantsHeaderFiles: boolean;
  /** Everything that is there, by path. */
  list(): Promise<Map<string, TargetFile>>;
  /** Undefined if there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Whether that file, as it was listed, holds these bytes and no others. */
  holds(path: string, file: TargetFile, bytes: Uint8Array): Promise<boolean>;
  /** Writes a file that must not exist yet; returns undefined and does nothing if it does. */
  add(artifact: Artifact): Promise<TargetFile | undefined>;
  /** Takes the place of what is there. */
  replace(artifact: Artifact): Promise<TargetFile>;
}

/** The target as it is, without a byte written. */
export function untouched(target: ExportTarget): ExportTarget {
  const pretended = ({ bytes }: Artifact): TargetFile => ({ bytes: bytes.length, stamp: 'not written' });
  return {
    name: target.name,
    wantsHeaderFiles: target.wantsHeaderFiles,
    list: () => target.list(),
    read: (path) => target.read(path),
    holds: (path, file, bytes) => target.holds(path, file, bytes),
    add: async (artifact) => pretended(artifact),
    replace: async (artifact) => pretended(artifact),
  };
}
