import { HubAnswerError } from '../errors/hub-answer-error.ts';
import { viewAlert } from '../hub/alerts/alert-view.ts';
import { type HubStatus, hubStatus, type ShownStatus, statusOfSources } from '../hub/health/hub-status.ts';
import type { StorageStatus } from '../hub/health/storage-growth.ts';
import { readOpenAlerts } from '../io/sqlite/alerts.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { readRunStandings } from '../io/sqlite/runs.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { hasWriter } from '../io/sqlite/writer-presence.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import { readStorage } from './hub-storage.ts';

export {
  type HubStatus,
  hasUnread,
  isAsBadAs,
  isNoted,
  type ShownStatus,
  TROUBLES,
  type Trouble,
  troubleOf,
} from '../hub/health/hub-status.ts';
export type { StorageStatus } from '../hub/health/storage-growth.ts';

/** The status of the sources in a data folder, even beside the hub that writes to it. */
export async function readDataStatus(folder: string): Promise<HubStatus> {
  await using store = await openSqliteHubStore({ folder, readonly: true });
  return { ...(await storedStatus(store, await hasWriter(folder))), storage: await readStorage(folder, store) };
}

/** The status of the sources and processes of a hub in a database. */
export async function readSharedStatus(url: string): Promise<HubStatus> {
  // Loaded when needed, because it imports the database driver.
  const { isAnyAlive, openSharedHub } = await import('./shared-hub.ts');
  await using hub = await openSharedHub({ url, access: 'read' });
  const processes = await hub.processes();
  return { ...(await storedStatus(hub.store, isAnyAlive(processes))), processes };
}

async function storedStatus(
  store: Pick<WholeHubStore, 'sources' | 'openTables'>,
  running: boolean,
): Promise<HubStatus> {
  const sources = (await store.sources()).filter(({ dropped }) => !dropped);
  const sorted = sources.toSorted((one, other) => (one.config.id < other.config.id ? -1 : 1));
  const status = statusOfSources(sorted, store.openTables(readRunStandings), { nowMs: Date.now(), running });
  return { ...status, alerts: store.openTables(readOpenAlerts).map(viewAlert).reverse() };
}

const HEALTH = 'state/health.json';

/** The status of the sources of a running hub, as it reports it. */
export async function readHubStatus(client: Pick<HubClient, 'ask'>, hub: string): Promise<HubStatus> {
  const answer = await client.ask({ method: 'GET', path: HEALTH });
  const sources = sourcesOf(answer);
  if (sources === undefined) {
    throw new HubAnswerError(hub, 200, { detail: `${HEALTH} has no sources. Is this the address of a hub?` });
  }
  const shown = Object.entries(sources).map(([id, { cursor: _cursor, prev_cursor: _previous, ...status }]) => {
    return [id, status] as const;
  });
  // A hub of an earlier version of Tidings does not report this.
  const writable = (answer as { readonly writable?: unknown }).writable !== false;
  const storage = await askFor<StorageStatus>(client, 'api/v1/storage');
  const alerts = await askFor<{ readonly open: HubStatus['alerts'] }>(client, 'api/v1/alerts?limit=1');
  const live = await askFor<Pick<HubStatus, 'processes'>>(client, 'healthz');
  return {
    ...hubStatus(shown, { nowMs: Date.now(), running: true, writable }),
    ...(storage && { storage }),
    ...(alerts?.open && { alerts: alerts.open }),
    ...(live?.processes && { processes: live.processes }),
  };
}

/** Undefined if the hub refuses: it needs the token, and not every hub has it. */
async function askFor<T>(client: Pick<HubClient, 'ask'>, path: string): Promise<T | undefined> {
  try {
    return (await client.ask({ method: 'GET', path })) as T;
  } catch (error) {
    if (error instanceof HubAnswerError) return undefined;
    throw error;
  }
}

type Told = ShownStatus & { readonly cursor?: unknown; readonly prev_cursor?: unknown };

const WORDS: readonly unknown[] = ['ok', 'degraded', 'error', 'disabled'];

/** Another server may answer in place of a hub with anything. */
function sourcesOf(answer: unknown): Readonly<Record<string, Told>> | undefined {
  const { sources } = (answer ?? {}) as { readonly sources?: unknown };
  if (typeof sources !== 'object' || sources === null) return undefined;
  const isStatus = (value: unknown) => WORDS.includes((value as { readonly status?: unknown } | null)?.status);
  return Object.values(sources).every(isStatus) ? (sources as Readonly<Record<string, Told>>) : undefined;
}
