import { resolve } from 'node:path';
import { type DrillReport, drillSurface } from '../dialects/agent-feed/surface/drill-surface.ts';
import { surfaceSite } from '../dialects/agent-feed/surface/surface-site.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { isPublicAddress } from '../io/undici/public-address.ts';
import type { EndTarget } from './surface.ts';

export type { DrillReport };

/**
 * Rehearses the kill switch on a copy of the feed, with readers that must end up untrusting. The feed, its key and did.json stay as they are.
 *
 * @example
 * const { untrusted, steps } = await drillFeed({ dir: './site', site: 'https://api.example/' });
 */
export async function drillFeed({
  dir,
  site,
  force = false,
  now = Date.now,
}: Omit<EndTarget, 'key'>): Promise<DrillReport> {
  return await drillSurface({
    folder: createFileFolder(resolve(dir)),
    site: surfaceSite(site, { force, isPublicAddress }),
    now,
    force,
    isPublicAddress,
  });
}
