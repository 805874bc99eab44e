import type { ServedArtifact } from './answer-artifact.ts';

const HELD_MS = 1000;

/** Built on request and then served for a second, however many ask. Rebuilt if the clock steps back. */
export function holdForASecond(build: (nowMs: number) => ServedArtifact, now: () => number): () => ServedArtifact {
  let held: { readonly artifact: ServedArtifact; readonly atMs: number } | undefined;
  return () => {
    const nowMs = now();
    if (held === undefined || nowMs < held.atMs || nowMs >= held.atMs + HELD_MS) {
      held = { artifact: build(nowMs), atMs: nowMs };
    }
    return held.artifact;
  };
}
