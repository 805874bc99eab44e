import { pageUrl } from '../crawl/site-address.ts';
import type { BuiltSite } from '../model/folder.ts';
import { compareSite } from './compare-site.ts';
import { digestOfLook, lookAtSite, type SiteLook } from './look-at-site.ts';
import type { CompareOptions, SiteSource } from './site-source.ts';

/** A folder of built HTML as the source of a publish. */
export function builtSource(built: BuiltSite): SiteSource {
  let compared: CompareOptions | undefined;
  let paths: ReadonlyMap<string, string> | undefined;
  let look: SiteLook | undefined;
  return {
    name: built.name,
    advice: 'Check that the site was built into this folder',

    async digest(turns) {
      look = await lookAtSite(built, turns);
      return digestOfLook(look);
    },

    async compare({ pages }, options) {
      compared = options;
      paths = undefined;
      const looked = look;
      // The look is outdated at the next comparison.
      look = undefined;
      return await compareSite(built, pages, options, looked);
    },

    readPage(url) {
      if (compared === undefined) return undefined;
      paths ??= pathsByUrl(built, compared);
      const path = paths.get(url);
      try {
        return path === undefined ? undefined : built.read(path);
      } catch {
        // The file was removed or became unreadable since the comparison.
        return undefined;
      }
    },
  };
}

/** If several files have one URL, the first is its page, as in a comparison. */
function pathsByUrl(built: BuiltSite, { site, ...form }: CompareOptions): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const path of built.list().paths) {
    const url = pageUrl(site, path, form);
    if (!paths.has(url)) paths.set(url, path);
  }
  return paths;
}
