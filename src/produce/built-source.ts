import { compareSite } from './compare-site.ts';
import type { BuiltSite } from './folder.ts';
import type { SiteSource } from './site-source.ts';

/** A folder of built HTML as the source of a publish. */
export function builtSource(built: BuiltSite): SiteSource {
  return {
    name: built.name,
    advice: 'Check that the site was built into this folder',
    compare: ({ pages }, options) => compareSite(built, pages, options),
  };
}
