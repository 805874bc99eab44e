import { DIALECTS } from '../dialects/registry.ts';
import type { PublishReport } from '../produce/publish-report.ts';

/** What a publish did, in one line. */
export function reportLine({ pages, created, updated, deleted, unchanged }: PublishReport): string {
  const counted = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  return `${counted}: ${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`;
}

/** Followers look at the root of the host (AICF-D1, DD-D1, RS-S1), where a site below a path cannot write. */
export function rootHint({ origin, pathname }: URL, { artifacts }: PublishReport): string | undefined {
  if (/^\/+$/.test(pathname)) return undefined;
  const paths = DIALECTS.flatMap(({ wellKnown }) =>
    wellKnown !== undefined && artifacts.includes(wellKnown.slice(1)) ? [wellKnown] : [],
  );
  if (paths.length === 0) return undefined;
  const wanted = paths.map((path) => origin + path).join(' and ');
  const ours = paths.map((path) => path.slice(1)).join(' and ');
  return `followers look for ${wanted}. Serve this site's ${ours} there, too.`;
}
