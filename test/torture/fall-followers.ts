import { join } from 'node:path';
import { type EmbeddedHub, openEmbeddedHub } from '../../src/doors/embedded-hub.ts';
import { follow } from '../../src/doors/follow.ts';
import { TidingsError } from '../../src/errors/tidings-error.ts';
import type { Change } from '../../src/model/change.ts';
import type { FallSite } from './fall-site.ts';

export type Telling = Pick<Change, 'action' | 'url' | 'anchor' | 'time'>;

/** Somebody who follows sites by the best way there is. */
export interface Follower extends AsyncDisposable {
  readonly name: string;
  readonly sites: readonly FallSite[];
  /** At all of them, once. */
  look(): Promise<void>;
  isOnPages(site: FallSite): boolean;
  told(site: FallSite): Promise<readonly Telling[]>;
}

export interface FollowerParts {
  readonly sites: readonly FallSite[];
  readonly folder: string;
  /** Of sites on https. */
  readonly ca: string;
  readonly confirmMs: number;
}

/** Sources of the kind `auto`. */
export async function hubFollower({ sites, folder, ca, confirmMs }: FollowerParts): Promise<Follower> {
  const hub: EmbeddedHub = await openEmbeddedHub({
    data: join(folder, 'hub'),
    sources: sites.map(({ id, url }) => ({ id, kind: 'auto', url, intervalSeconds: 3600 })),
    allowPrivate: true,
    cooldownMs: 0,
    confirmMs,
    ca,
  });
  return {
    name: 'hub',
    sites,
    look: async () => void (await hub.look(new AbortController().signal)),
    isOnPages: ({ id }) => hub.watch.source(id)?.health.ladder?.rung === 'pages',
    async told({ id }) {
      const changes: Change[] = [];
      for await (const change of hub.store.changes({ source: id })) changes.push(change);
      return changes;
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

/** What `tidings follow --once` does, each time anew. */
export function onceFollower({ sites, folder, ca }: FollowerParts): Follower {
  const told = new Map<string, Telling[]>(sites.map(({ id }) => [id, []]));
  const onPages = new Set<string>();
  const lookAt = async ({ id, url }: FallSite) => {
    const onDiagnostic = ({ code }: { readonly code: string }) => {
      if (code === 'fallen') onPages.add(id);
      if (code === 'returned') onPages.delete(id);
    };
    const options = {
      state: join(folder, `${id}.db`),
      once: true,
      allowPrivate: true,
      cooldownMs: 0,
      onDiagnostic,
      ca,
    };
    try {
      for await (const { action, url: page, anchor } of follow({ url, ...options })) {
        const time = new Date().toISOString();
        told.get(id)?.push({ action, url: page, time, ...(anchor !== undefined && { anchor }) });
      }
    } catch (error) {
      // A feed that may be well again soon is waited for.
      if (!(error instanceof TidingsError) || error.recovery === 'stop') throw error;
    }
  };
  return {
    name: 'follow',
    sites,
    look: async () => void (await Promise.all(sites.map(lookAt))),
    isOnPages: ({ id }) => onPages.has(id),
    told: async ({ id }) => told.get(id) ?? [],
    async [Symbol.asyncDispose]() {},
  };
}
