import { catalogueUnavailableError } from '../errors/catalogue-error.ts';
import { HubAnswerError } from '../errors/hub-answer-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { overviewView } from '../hub/dashboard/overview/overview.ts';
import type { OverviewFacts } from '../hub/dashboard/overview/overview-facts.ts';
import { TOKEN_HOLDER } from '../hub/sign-in/viewer.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import { hasWriter } from '../io/sqlite/writer-presence.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import { hubAnswer } from './hub-answer.ts';

/** The state of a hub at a moment. */
export interface OverviewSnapshot extends OverviewFacts {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** The address of the hub, or its data folder. */
  readonly of: string;
  /** Whether a hub runs. */
  readonly running: boolean;
}

const OVERVIEW = 'api/v1/views/overview';
const RECENT = 50;
/** The pause before a broken stream is requested again. */
const AGAIN_MS = 5000;

/** A terminal shows no chart. */
const NO_CATALOGUE = {
  tallies: () => Promise.reject(catalogueUnavailableError(undefined)),
  busiestSources: async () => [],
};

/** What the first page of a running hub shows. */
export async function readHubOverview(client: Pick<HubClient, 'ask'>, hub: string): Promise<OverviewSnapshot> {
  const facts = hubAnswer<OverviewFacts>(await client.ask({ method: 'GET', path: OVERVIEW }), 'states', hub);
  if (typeof facts.states !== 'object' || !Array.isArray(facts.recent) || !Array.isArray(facts.attention))
    throw new HubAnswerError(hub, 200, { detail: `${OVERVIEW} is not as a hub has it. Is this the address of one?` });
  return { ...facts, atMs: Date.now(), of: hub, running: true };
}

/** Like {@link readHubOverview}, from a data folder, even beside the hub that writes to it. */
export async function readDataOverview(folder: string): Promise<OverviewSnapshot> {
  await using store = await openSqliteHubStore({ folder, readonly: true });
  return { ...(await storedOverview(store)), of: folder, running: await hasWriter(folder) };
}

/** Like {@link readHubOverview}, for a hub in a database, for as long as somebody looks. */
export interface SharedOverview extends AsyncDisposable {
  read(): Promise<OverviewSnapshot>;
}

export async function openSharedOverview(url: string): Promise<SharedOverview> {
  // Loaded when needed, because it imports the database driver.
  const { isAnyAlive, openSharedHub } = await import('./shared-hub.ts');
  const { store, shown, processes, [Symbol.asyncDispose]: close } = await openSharedHub({ url, access: 'read' });
  return {
    read: async () => ({ ...(await storedOverview(store)), of: shown, running: isAnyAlive(await processes()) }),
    [Symbol.asyncDispose]: close,
  };
}

async function storedOverview(
  store: Pick<WholeHubStore, 'sources' | 'recentChanges'>,
): Promise<OverviewFacts & Pick<OverviewSnapshot, 'atMs'>> {
  const sources = (await store.sources()).filter(({ dropped }) => !dropped);
  const recent = await store.recentChanges(RECENT);
  const view = overviewView({
    watch: { sources: () => sources, unwritable: undefined },
    recentChanges: () => recent,
    catalogue: NO_CATALOGUE,
    links: () => [],
    baseUrl: () => '',
    now: Date.now,
  });
  const signal = new AbortController().signal;
  const facts = await view.read({ params: {}, query: new URLSearchParams(), viewer: TOKEN_HOLDER, signal, root: '' });
  return { ...facts, atMs: Date.now() };
}

/** Calls `onNews` for each change that a hub announces, until the signal aborts. A broken stream is requested again. */
export async function listenToHub(
  client: Pick<HubClient, 'stream'>,
  onNews: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const text of client.stream({ path: 'events', signal })) if (/^event: ?change/m.test(text)) onNews();
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
    }
    await wait(AGAIN_MS, signal);
  }
}
