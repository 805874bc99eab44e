import { CursorLostError } from '../errors/cursor-lost-error.ts';
import { HubAnswerError } from '../errors/hub-answer-error.ts';
import { sourceAddress } from '../hub/config/source-address.ts';
import type { SourceView } from '../hub/routes/source-view.ts';
import { readAuthority } from '../io/files/authority.ts';
import { wait } from '../io/node/timer-wait.ts';
import { createHubClient, type HubClient } from '../io/undici/hub-client.ts';
import type { ChangeStream, ChangesPage, ChangesQuery, StreamSource } from '../stream/change-stream.ts';
import { hubAnswer } from './hub-answer.ts';
import { baseUrl } from './setting-values.ts';

export interface RemoteHubOptions {
  /** The address of the hub. */
  readonly url: string;
  /** The token of its admin. With it, sources have their addresses; without it, only ids and states. */
  readonly token?: string;
  /** A PEM file with additional certificate authorities to trust, or its text. */
  readonly ca?: string;
  readonly signal?: AbortSignal;
}

const GONE = 410;
/** How often a hub is polled for changes. */
const POLL_MS = 5000;

/** The log of a hub that runs elsewhere, through its API. */
export async function openRemoteHub({ url, token, ca, signal }: RemoteHubOptions): Promise<ChangeStream> {
  const hub = baseUrl(url, '--hub');
  const client = createHubClient({
    hub,
    ...(token !== undefined && { token }),
    ...(ca !== undefined && { ca: await readAuthority(ca) }),
    ...(signal !== undefined && { signal }),
  });
  return {
    changes: (query) => readChanges(query, client, hub),
    sources: () => (token === undefined ? readHealth(client, hub) : readSources(client, hub)),
    look: async () => [],
    news: (maxWaitMs, stop) => wait(Math.min(maxWaitMs, POLL_MS), stop),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

async function readChanges(query: ChangesQuery, client: HubClient, hub: string): Promise<ChangesPage> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  try {
    return hubAnswer<ChangesPage>(
      await client.ask({ method: 'GET', path: `api/v1/changes?${search}` }),
      'changes',
      hub,
    );
  } catch (error) {
    if (!(error instanceof HubAnswerError) || error.status !== GONE) throw error;
    throw new CursorLostError(query.after ?? '', error.message);
  }
}

async function readSources(client: HubClient, hub: string): Promise<readonly StreamSource[]> {
  const answer = await client.ask({ method: 'GET', path: 'api/v1/sources' });
  const { sources } = hubAnswer<{ sources: readonly SourceView[] }>(answer, 'sources', hub);
  return sources.map(({ id, kind, status, config, errorMessage }) => ({
    id,
    kind,
    status,
    url: sourceAddress({ config }),
    ...(config.title !== undefined && { title: config.title }),
    ...(errorMessage !== undefined && { errorMessage }),
  }));
}

interface PublicHealth {
  readonly sources: Readonly<Record<string, { readonly status: string; readonly kind: string }>>;
}

/** The public part of the state. */
async function readHealth(client: HubClient, hub: string): Promise<readonly StreamSource[]> {
  const answer = await client.ask({ method: 'GET', path: 'state/health.json' });
  const { sources } = hubAnswer<PublicHealth>(answer, 'sources', hub);
  return Object.entries(sources).map(([id, { status, kind }]) => ({ id, kind, status, url: '' }));
}
