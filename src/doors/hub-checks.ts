import { checkPlace } from '../check/check.ts';
import { createHttpSource } from '../check/http-source.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { createSiteChecks, type WatchedSiteChecks } from '../hub/site-checks/site-checks.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { checkParts } from './check.ts';
import type { PoliteWays } from './open-http.ts';

export interface HubCheckParts {
  readonly dialects: readonly Dialect[];
  readonly watch: Pick<Watch, 'sources'>;
  readonly ways: PoliteWays;
}

/** Checks watched sites like a stranger: a pause that a host asks for here does not affect any source. */
export function hubChecks({ dialects, watch, ways }: HubCheckParts): WatchedSiteChecks {
  return createSiteChecks({
    watch,
    checkSite: async (url, signal) => {
      const { http } = ways.of({ name: `check:${url.host}`, isOwn: () => false });
      return await checkPlace(createHttpSource(http, url, signal), {
        dialects,
        parts: checkParts({ signal }),
        hints: true,
      });
    },
    now: Date.now,
    deadline: (ms) => AbortSignal.timeout(ms),
  });
}
