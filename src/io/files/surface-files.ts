import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeAgentFeed } from '../../codecs/agent-feed/decode-feed.ts';
import { FEED_PATH } from '../../codecs/agent-feed/wire.ts';
import type { ServedSurface, SurfaceFile, SurfacePath } from '../../dialects/agent-feed/shelf/surface-routes.ts';
import { strongEtag } from '../../hub/http/small-answer.ts';
import { codeOf } from './folder.ts';

export interface SurfaceFilesOptions {
  /** Milliseconds of any clock that only goes forward. */
  readonly now?: () => number;
  /** A file cannot be served, and that does not pass. Told once for each time. */
  readonly onTrouble?: (path: SurfacePath, reason: string) => void;
}

interface Kept extends SurfaceFile {
  readonly version: string;
}

/** A file that is there and is not served. */
interface Unsettled {
  readonly is: 'unsettled';
  readonly reason: string;
  /** Absent if it could not be read. */
  readonly version?: string;
}

interface Trouble extends Unsettled {
  readonly sinceMs: number;
  readonly isTold: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** A writer is done by then. A feed that was ended must not look active because of a file that nobody completes. */
const MOST_STALE_MS = 5000;

/**
 * The artifacts below a folder, each read again only when its file is another one.
 *
 * A file that is cut short, empty or changing while it is read is not served: for a few seconds what was whole before is,
 * then nothing.
 */
export function createFileSurfaceFiles(dir: string, options: SurfaceFilesOptions = {}): ServedSurface {
  const { now = () => performance.now(), onTrouble } = options;
  const kept = new Map<SurfacePath, Kept>();
  const troubles = new Map<SurfacePath, Trouble>();
  return {
    async read(path) {
      const found = await readWhole(join(dir, path), path, { kept: kept.get(path), trouble: troubles.get(path) });
      if (found !== 'missing' && 'is' in found) return unsettled(path, found);
      troubles.delete(path);
      if (found === 'missing') kept.delete(path);
      else kept.set(path, found);
      return found;
    },
  };

  function unsettled(path: SurfacePath, found: Unsettled): SurfaceFile | 'unsettled' {
    const { sinceMs = now(), isTold = false } = troubles.get(path) ?? {};
    const isLasting = now() - sinceMs >= MOST_STALE_MS;
    troubles.set(path, { ...found, sinceMs, isTold: isTold || isLasting });
    if (!isLasting) return kept.get(path) ?? 'unsettled';
    if (!isTold) onTrouble?.(path, found.reason);
    return 'unsettled';
  }
}

interface Known {
  readonly kept: Kept | undefined;
  readonly trouble: Trouble | undefined;
}

async function readWhole(file: string, path: SurfacePath, known: Known): Promise<Kept | Unsettled | 'missing'> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const before = await statOf(handle);
    const { version } = before;
    if (version === known.kept?.version) return known.kept;
    if (version === known.trouble?.version) return known.trouble;
    if (!before.isFile) return { is: 'unsettled', version, reason: 'It is no file.' };
    if (before.size > MAX_BYTES) return { is: 'unsettled', version, reason: `It has more than ${MAX_BYTES} bytes.` };
    const bytes = await handle.readFile();
    const after = await statOf(handle);
    if (after.version !== version) return { is: 'unsettled', reason: 'It changes while it is read.' };
    const reason = flawOf(bytes.toString('utf8'), path);
    if (reason !== undefined) return { is: 'unsettled', version, reason };
    return { version, modifiedMs: before.modifiedMs, bytes, etag: strongEtag(bytes.toString('latin1')) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    return { is: 'unsettled', reason: `It cannot be read: ${code ?? String(error)}.` };
  } finally {
    await handle?.close();
  }
}

async function statOf(handle: FileHandle) {
  const stats = await handle.stat({ bigint: true });
  const version = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
  return { version, isFile: stats.isFile(), size: stats.size, modifiedMs: Number(stats.mtimeMs) };
}

/** Why it is no whole document of its kind. What it says is its publisher's concern. */
function flawOf(text: string, path: SurfacePath): string | undefined {
  if (path === FEED_PATH) {
    const feed = decodeAgentFeed(text);
    return feed.ok ? undefined : feed.issues[0].message;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? undefined : 'It is no JSON object.';
  } catch {
    return 'It is no JSON.';
  }
}
