import type { Dialect } from '../dialects/dialect.ts';
import { COOLDOWN_MS } from '../fetch/polite-client.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { createPreviewer, type Previewer } from '../hub/preview/previewer.ts';
import type { SourceParts } from '../hub/routes/source-route-parts.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import type { PoliteWays } from './open-http.ts';

export interface PreviewDoorParts extends Pick<SourceParts, 'decodeSource'> {
  readonly config: HubConfig;
  readonly dialects: readonly Dialect[];
  readonly watch: Pick<Watch, 'sources'>;
  readonly ways: PoliteWays;
}

/** Previews sites like a stranger: a pause that a host asks for here does not affect any source. */
export function hubPreviewer({ config, dialects, watch, ways, decodeSource }: PreviewDoorParts): Previewer {
  const { allowPrivate, cooldownMs = COOLDOWN_MS } = config;
  return createPreviewer({
    watch,
    decodeSource,
    allowPrivate,
    cooldownMs: allowPrivate ? cooldownMs : Math.max(cooldownMs, COOLDOWN_MS),
    waysTo: ({ host }) => {
      const { http, client, usageOf, mayFetch } = ways.of({ name: `preview:${host}`, isOwn: () => false });
      return { dialects, http, client, usageOf, mayFetch, gunzip, now: Date.now };
    },
    now: Date.now,
    deadline: (ms) => AbortSignal.timeout(ms),
  });
}
