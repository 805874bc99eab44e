import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import { ensureHub } from '../../hub-links.ts';
import { NOT_WRITTEN, type Projection } from '../../projection.ts';
import { publishChangesAtom } from './changes-atom.ts';
import { loadChangesAtom } from './changes-atom-state.ts';
import { changesAtomPath } from './changes-feed.ts';
import { redactChangesAtom } from './redact-atom.ts';

/** A site's log as a feed for people. */
export const ATOM_PROJECTION: Projection = {
  ensure({ atomEntries = 1, websub }) {
    if (!(Number.isSafeInteger(atomEntries) && atomEntries >= 1)) {
      throw new SettingRefusedError(
        'atom-entries',
        atomEntries,
        `Give a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`,
      );
    }
    ensureHub(websub);
  },

  redact: redactChangesAtom,

  async load(places, { changes }, options) {
    if (!options.isChosen || options.dryRun) return NOT_WRITTEN;
    const published = await loadChangesAtom(places, changes, options);
    const isFirst = published.entries.size === 0 && published.archived === 0;
    return {
      async project(site) {
        const projected = publishChangesAtom(published, site.changes, options);
        return isFirst && projected.files.length > 0
          ? { ...projected, suggestions: [linkSuggestion(options.site)] }
          : projected;
      },
    };
  },
};

/** A line that only the author of a site can add. */
function linkSuggestion(site: URL): string {
  const link = `<link rel="alternate" type="application/atom+xml" href="${site.href}${changesAtomPath()}">`;
  return `You may add to the head of its pages: ${link}`;
}
