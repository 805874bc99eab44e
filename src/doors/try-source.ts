import { DIALECTS } from '../dialects/registry.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import type { VisitOutcome } from '../hub/store/visit-outcome.ts';
import { sourceAsker } from '../hub/visit/source-asker.ts';
import { testSource } from '../hub/visit/test-source.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { readSecret } from '../io/files/secret.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import { type HttpOptions, openPolite } from './open-http.ts';

export interface TrySourceOptions extends HttpOptions {
  readonly signal: AbortSignal;
}

/** Reads a little of a source to see whether it can be watched. Nothing is recorded. */
export async function trySource(config: SourceConfig, options: TrySourceOptions): Promise<VisitOutcome> {
  await using ways = await openPolite(options);
  const asker = sourceAsker(config);
  await ways.clearPauses(asker);
  const { http, client, pages } = ways.of(asker);
  const { signal } = options;
  return await testSource(config, {
    http,
    client,
    pages,
    dialects: DIALECTS,
    openFolder: createFileBuiltSite,
    gunzip,
    readSecret,
    now: Date.now,
    signal,
  });
}
