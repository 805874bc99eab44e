import { join, resolve } from 'node:path';
import { type AnnounceReport, announceChanges } from '../announce/announce.ts';
import { type AnnounceTargets, announceTargetsOf } from '../announce/announce-target.ts';
import { ANNOUNCED_FILE, decodeAnnounced, encodeAnnounced } from '../announce/announced.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { LogMissingError } from '../errors/log-error.ts';
import { createFileFolder, openFileFolder } from '../io/files/folder.ts';
import { wait } from '../io/node/timer-wait.ts';
import { lockStateFolder } from '../io/state/state-folder.ts';
import { decodeLogParts, LOG_FILE, readLogParts } from '../log/log-parts.ts';
import { type HttpOptions, openGuarded } from './open-http.ts';
import { STATE_PATH } from './publish.ts';

export type { AnnouncedTarget, AnnounceReport } from '../announce/announce.ts';

export interface AnnounceOptions extends AnnounceTargets, HttpOptions {
  /** The folder of the published site. */
  readonly dir: string;
  /** The folder in which `publish` keeps its state, if it is not on the site. The record of earlier announcements is kept there too. */
  readonly state?: string;
  /** A target without a record of earlier announcements gets the last publish only: for a build without a cache. */
  readonly lastOnly?: boolean;
  /** Reports what would be announced, and sends nothing. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  /** Called with the number of announcements sent and their total number. */
  readonly onProgress?: (sent: number, all: number) => void;
}

/**
 * Tells hubs and search engines what changed since the last announcement. Call it once the site is public: they fetch it at once.
 *
 * @example
 * const { targets } = await announce({ dir: './site', websub: ['https://hub.example/'] });
 * for (const { url, outcome, reason } of targets) if (outcome === 'failed') console.error(url, reason);
 */
export async function announce(options: AnnounceOptions): Promise<AnnounceReport> {
  const { dir, dryRun = false, signal = new AbortController().signal } = options;
  const targets = announceTargetsOf(options);
  const out = openFileFolder(dir);
  const state = resolve(options.state ?? join(dir, STATE_PATH));
  const folder = createFileFolder(state);
  const logParts = await readLogParts(folder);
  if (logParts.length === 0) throw new LogMissingError(join(state, LOG_FILE));
  const lock = dryRun ? undefined : await lockStateFolder(state);
  try {
    const { site, changes } = decodeLogParts(logParts, folder.name);
    const remembered = await folder.read(ANNOUNCED_FILE);
    const file = `${folder.name}/${ANNOUNCED_FILE}`;
    const announced =
      remembered === undefined ? new Map() : decodeAnnounced(new TextDecoder().decode(remembered), file, site);
    const base = new URL(site);

    const has = (path: string) => out.sizeOf(path) !== undefined;
    const topics = DIALECTS.flatMap((dialect) => dialect.topics?.(has) ?? []).map((path) => new URL(path, base).href);
    await using http = await openGuarded(options);
    return await announceChanges(
      { targets, site: base, changes, topics, announced, lastOnly: options.lastOnly ?? false, dryRun },
      {
        http,
        wait,
        now: Date.now,
        signal,
        async keyFile(key) {
          const bytes = await out.read(`${key}.txt`);
          return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
        },
        remember: async (told) => await folder.replace(ANNOUNCED_FILE, Buffer.from(encodeAnnounced(site, told))),
        ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
      },
    );
  } finally {
    await lock?.release();
  }
}
