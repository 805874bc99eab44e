import type { TestFolder } from './site.ts';

/**
 * Every file with the hash of its bytes, but for those of DiffDelta that say how the site stands: once after a change they
 * are rewritten to say that nothing is new.
 */
export function steadyFiles(folder: TestFolder): Record<string, string> {
  return Object.fromEntries(
    Object.entries(folder.fingerprint()).filter(([path]) => !/^diff\/|^healthz\.json$/.test(path)),
  );
}
