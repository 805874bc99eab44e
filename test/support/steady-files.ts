import type { TestFolder } from './site.ts';

/**
 * Every file with the hash of its bytes, except for those of DiffDelta about the state of the site: after a change they are rewritten once to say that nothing
 * is new.
 */
export function steadyFiles(folder: TestFolder): Record<string, string> {
  return Object.fromEntries(
    Object.entries(folder.fingerprint()).filter(([path]) => !/^diff\/|^healthz\.json$/.test(path)),
  );
}
