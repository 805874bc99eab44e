import { decodeEntry } from '../../../codecs/tlog/decode-entry.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';

/** What a publish must know from the entries of a log to continue. */
export interface EntryIndex {
  /** How many changes of log.ndjson are in it, or before its beginning. */
  readonly changes: number;
  /** The id of the last change that is in it. */
  readonly last?: string;
  /** SHA-256 in hex of each file, according to the newest entry about it. */
  readonly files: ReadonlyMap<string, string>;
}

/** `name` is the name of the log in messages. */
export function indexEntries(entries: readonly Uint8Array[], name: string): EntryIndex {
  let [changes, last]: [number, string | undefined] = [0, undefined];
  const files = new Map<string, string>();
  for (const [at, bytes] of entries.entries()) {
    const decoded = decodeEntry(bytes);
    if (!decoded.ok) {
      throw new StateCorruptError(name, `entry ${at} cannot be read: ${decoded.issues[0].message}`, 'Upgrade Tidings.');
    }
    const { entry } = decoded.value;
    if (entry.type === 'begin') changes = entry.count;
    if (entry.type === 'change') [changes, last] = [entry.seq, entry.id];
    if (entry.type === 'artifact' && typeof entry.path === 'string') files.set(entry.path, entry.sha256);
    if (entry.type === 'redacted') {
      for (const { path, after } of entry.artifacts) {
        if (after === undefined) files.delete(path);
        else files.set(path, after.replace(/^sha256:/, ''));
      }
    }
  }
  return { changes, ...(last !== undefined && { last }), files };
}
