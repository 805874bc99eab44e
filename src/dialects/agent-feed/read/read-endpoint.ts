import type { EndpointRecord } from '../../../surface/endpoint-record.ts';

/** An endpoint as plain JSON. */
export interface ReadEndpoint {
  /** Null, like the URL, if the endpoint is known only from a change and was never announced. */
  readonly protocol: string | null;
  readonly endpointId: string;
  readonly url: string | null;
  readonly version: string;
  /** The key is `from->to`. */
  readonly migrations: Readonly<Record<string, unknown>>;
  readonly deprecated: {
    readonly sunset: string;
    readonly replacement: string | null;
    readonly reason: string | null;
  } | null;
}

export function readEndpoint(record: EndpointRecord): ReadEndpoint {
  const { protocol, endpointId, url, version, migrations, deprecation } = record;
  return {
    protocol: protocol ?? null,
    endpointId,
    url: url ?? null,
    version,
    migrations: Object.fromEntries(migrations.map(({ from, to, delta }) => [`${from}->${to}`, delta])),
    deprecated:
      deprecation === undefined
        ? null
        : { sunset: deprecation.sunset, replacement: deprecation.replacement, reason: deprecation.reason },
  };
}
