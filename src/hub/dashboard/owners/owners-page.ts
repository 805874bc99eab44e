import { formatTime } from '../../../codecs/primitives/time.ts';
import type { RequestJournal } from '../../../fetch/request-journal.ts';
import { coveredSources, coversHost } from '../../owners/covered-sources.ts';
import type { WatchedSource } from '../../store/hub-store.ts';
import type { Watch } from '../../watch/watch-port.ts';
import { sourceLine } from '../sources/source-line.ts';
import type { View } from '../view.ts';
import { listSchema, objectSchema, SOURCE_LINE_SCHEMA, WHOLE_SCHEMA } from '../view-schemas.ts';
import type { HostCost, OwnedDomain, OwnedSource, OwnersFacts } from './owner-facts.ts';
import { ownersHtml } from './owners-html.ts';

export interface OwnersPageParts {
  readonly watch: Pick<Watch, 'sources' | 'checksOf'>;
  readonly journal: Pick<RequestJournal, 'hosts' | 'totalsOf' | 'sinceMs'>;
  readonly minIntervalSeconds: number;
  now(): number;
}

const MOST_SOURCES = 50;
const MOST_HOSTS = 50;
const COUNTED_CHECKS = 100;
const FLAG = { type: 'boolean' };
const SCHEMA = objectSchema({
  domains: listSchema(
    objectSchema({
      domain: { type: 'string' },
      sources: listSchema(
        objectSchema({
          source: SOURCE_LINE_SCHEMA,
          intervalSeconds: WHOLE_SCHEMA,
          isPausedByOwner: FLAG,
          isFixed: FLAG,
          checks: WHOLE_SCHEMA,
          changes: WHOLE_SCHEMA,
          failed: WHOLE_SCHEMA,
        }),
      ),
      hosts: listSchema(objectSchema({ host: { type: 'string' }, requests: WHOLE_SCHEMA, bytes: WHOLE_SCHEMA })),
    }),
  ),
  since: { type: 'string', format: 'date-time' },
  minIntervalSeconds: WHOLE_SCHEMA,
});

/** Where the owner of a domain proves it, sees what is watched of it, and steers that. */
export function ownersPageView({ watch, journal, minIntervalSeconds, now }: OwnersPageParts): View<OwnersFacts> {
  return {
    path: '/owners',
    summary:
      'For domain owners: the watched sources on the domains proven in this browser, and the requests they cause.',
    schema: SCHEMA,
    read: async ({ viewer: { domains = [] } }) => ({
      domains: await Promise.all(domains.map(ownedDomain)),
      since: formatTime(journal.sinceMs),
      minIntervalSeconds,
    }),
    show: (facts, { root }) => ({ title: 'For site owners', main: ownersHtml(facts, root) }),
  };

  async function ownedDomain(domain: string): Promise<OwnedDomain> {
    const sources = coveredSources(domain, watch.sources()).slice(0, MOST_SOURCES);
    return { domain, sources: await Promise.all(sources.map(ownedSource)), hosts: hostsOf(domain) };
  }

  async function ownedSource(source: WatchedSource): Promise<OwnedSource> {
    const { config, origin, pausedBy, health } = source;
    const checks = await watch.checksOf(config.id, COUNTED_CHECKS);
    return {
      source: sourceLine(source, now()),
      intervalSeconds: Math.round(config.intervalSeconds ?? health.intervalMs / 1000),
      isPausedByOwner: pausedBy === 'domain',
      isFixed: origin === 'config',
      checks: health.looks ?? checks.length,
      changes: checks.reduce((sum, check) => sum + check.changes, 0),
      failed: checks.filter(({ outcome }) => outcome === 'error').length,
    };
  }

  function hostsOf(domain: string): readonly HostCost[] {
    const hosts = journal
      .hosts()
      .filter((host) => host.includes(domain) && coversHost(domain, host.replace(/:\d+$/, '')));
    return hosts.slice(-MOST_HOSTS).map((host) => ({ host, ...journal.totalsOf(host) }));
  }
}
