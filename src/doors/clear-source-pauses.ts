import { join } from 'node:path';
import { createHostPauses } from '../fetch/host-pauses.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import { sourceAsker } from '../hub/visit/source-asker.ts';
import { kindOfFile } from '../io/files/kind.ts';
import { CRAWL_FILE } from './open-http.ts';

/** Ends the pauses that keep a source from its hosts, for a hub that is not running. */
export async function clearSourcePauses(config: SourceConfig, cacheDir: string): Promise<void> {
  const file = join(cacheDir, CRAWL_FILE);
  if ((await kindOfFile(file)) !== 'sqlite') return;
  const { openSqliteHostMemory } = await import('../io/sqlite/host-memory.ts');
  await using memory = await openSqliteHostMemory({ file, nowMs: Date.now() });
  await createHostPauses({ memory, now: Date.now }).clear(sourceAsker(config));
}
