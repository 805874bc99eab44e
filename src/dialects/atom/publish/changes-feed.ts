import { stableId } from '../../../codecs/atom/stable-id.ts';
import { archivedAtOnce } from '../../../digest/feed-files.ts';
import type { Run } from '../../../log/runs-of.ts';
import type { Artifact } from '../../../model/artifact.ts';

export interface ChangesAtomOptions {
  readonly site: URL;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** The WebSub hub that pushes the feed. */
  readonly websub?: string | undefined;
  /** How many entries the feed holds before older ones move to an archive. */
  readonly atomEntries?: number | undefined;
}

const MEDIA_TYPE = 'application/atom+xml';
const REVALIDATE = 'no-cache';
/** An archive never changes. */
const FOR_A_DAY = 'public, max-age=86400';
export const MAX_ATOM_ENTRIES = 100;

/** `changes.atom`, and `changes-1.atom` for its oldest archive. */
export function changesAtomPath(archive?: number): string {
  return archive === undefined ? 'changes.atom' : `changes-${archive}.atom`;
}

export function feedIdOf(site: URL): string {
  return stableId(site.href, 'changes');
}

/** The id of a run's entry comes from its last change, which no other run has. */
export function entryIdOf(site: URL, { changes }: Run): string {
  return stableId(site.href, 'changes', changes.at(-1)?.id ?? '');
}

/** How many archives a feed with that many entries needs. */
export function newArchives(entries: number, { atomEntries = MAX_ATOM_ENTRIES }: ChangesAtomOptions): number {
  return Math.max(0, Math.ceil((entries - atomEntries) / archivedAtOnce(atomEntries)));
}

export function ruleOf(path: string): Omit<Artifact, 'bytes'> {
  return { path, mediaType: MEDIA_TYPE, cacheControl: path === changesAtomPath() ? REVALIDATE : FOR_A_DAY };
}
