import type { DocumentCache } from '../crawl/document-cache.ts';
import { MemoryDocumentCache } from '../crawl/memory-document-cache.ts';

/** The cache in `folder`. If there is no folder or it cannot be used, a cache in memory. */
export async function openDocumentCache(
  folder: string | undefined,
  onProblem: (message: string) => void,
): Promise<{ readonly cache: DocumentCache; readonly isLasting: boolean }> {
  if (folder === undefined) return { cache: new MemoryDocumentCache(), isLasting: false };
  const { openSqliteDocumentCache } = await import('../io/sqlite/document-cache.ts');
  const kept = await openSqliteDocumentCache({ folder, onProblem });
  return { cache: kept ?? new MemoryDocumentCache(), isLasting: kept !== undefined };
}
