import { type DiffDeltaDiscovery, SCHEMA_PATH, SCHEMA_VERSION } from '../../../codecs/diffdelta/wire.ts';

interface ServiceFacts {
  /** The URL of the service, with a final slash. */
  readonly base: string;
  readonly sources: readonly string[];
  readonly ttlSec: number;
  /** The path of its health document, below `base`. */
  readonly healthz?: string;
  /** Whether it notifies subscribers: a hub does, a published site cannot. */
  readonly webhooks?: boolean;
}

/** The manifest of a service (§8 Discovery). */
export function discoveryOf({ base, sources, ttlSec, healthz, webhooks = false }: ServiceFacts): DiffDeltaDiscovery {
  const at = (path: string) => `${base}${path}`;
  return {
    version: '1',
    service: 'tidings',
    schema_version: SCHEMA_VERSION,
    endpoints: {
      diff_latest: at('diff/latest.json'),
      diff_head: at('diff/head.json'),
      diff_sources: at('diff/sources.json'),
      diff_by_source_template: at('diff/{source}/latest.json'),
      diff_head_by_source_template: at('diff/{source}/head.json'),
      ...(healthz !== undefined && { healthz: at(healthz) }),
      schemas: { diff: at(SCHEMA_PATH.slice(1)) },
    },
    polling: { recommended_ttl_sec: ttlSec },
    capabilities: {
      etag_supported: true,
      cursor_supported: true,
      per_source_endpoints: true,
      head_pointers_supported: true,
      webhooks_supported: webhooks,
    },
    sources_supported: sources,
  };
}
