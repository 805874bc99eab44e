import type { SourceConfig } from '../hub/config/source-config.ts';
import type { RetrustView, SourceView } from '../hub/routes/source-view.ts';
import type { VisitOutcome } from '../hub/store/visit-outcome.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import { hubAnswer } from './hub-answer.ts';
import type { SourcePlace } from './source-place.ts';

const SOURCES = 'api/v1/sources';
/** The hub takes one minute at most. */
const TEST_DEADLINE_MS = 90_000;
/** Keeps the requests for a long list below the limit of a body. */
const SOURCES_AT_ONCE = 500;

/** The sources of a running hub. */
export function createHubSources(client: HubClient, hub: string): SourcePlace {
  const of = (id: string, verb = '') => `${SOURCES}/${encodeURIComponent(id)}${verb}`;
  const steer = async (path: string, body: object) =>
    hubAnswer<SourceView>(await client.ask({ method: 'POST', path, body }), 'config', hub);
  return {
    isRunning: true,

    async list() {
      const { sources } = hubAnswer<{ sources: readonly SourceView[] }>(
        await client.ask({ method: 'GET', path: SOURCES }),
        'sources',
        hub,
      );
      return sources;
    },

    async add(sources) {
      const [only] = sources;
      if (only !== undefined && sources.length === 1) {
        await client.ask({ method: 'POST', path: SOURCES, body: only });
        return;
      }
      for (let at = 0; at < sources.length; at += SOURCES_AT_ONCE) {
        const body = { sources: sources.slice(at, at + SOURCES_AT_ONCE) };
        await client.ask({ method: 'POST', path: `${SOURCES}/import`, body });
      }
    },

    rule: (id, rules) => steer(of(id, '/rules'), rules),
    pause: (id, reason) => steer(of(id, '/pause'), { ...(reason !== undefined && { reason }) }),
    resume: (id, options) => steer(of(id, '/resume'), options),

    async retrust(id, { moved }) {
      const body = moved ? { moved } : {};
      return hubAnswer<RetrustView>(
        await client.ask({ method: 'POST', path: of(id, '/retrust'), body }),
        'retrusted',
        hub,
      );
    },

    async remove(id) {
      await client.ask({ method: 'DELETE', path: of(id) });
    },

    async test(source: SourceConfig) {
      const request = { method: 'POST', path: `${SOURCES}/test`, body: { source } } as const;
      const answer = await client.ask({ ...request, deadlineMs: TEST_DEADLINE_MS });
      return hubAnswer<{ outcome: VisitOutcome }>(answer, 'outcome', hub).outcome;
    },

    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
