import { hash } from 'node:crypto';
import { NOT_WRITTEN, type Projection } from '../../projection.ts';
import { SURFACE_FILE } from '../surface/surface-record.ts';
import { refuseLostFeed } from './agent-feed.ts';
import { findSurface } from './find-surface.ts';
import { surfaceDrafts } from './surface-drafts.ts';

/** The surface of a site. It is carried whatever the formats are: a copy of the site without it could undo the end of a feed. */
export const AGENT_FEED_PROJECTION: Projection = {
  async load(places, { changes }, { site, isChosen }) {
    const surface = await findSurface(places, site);
    if (surface === undefined) {
      if (isChosen) refuseLostFeed(changes);
      return NOT_WRITTEN;
    }
    const { files, record } = surface.published;
    const all = [...record, ...files];
    const feedChecksum = `sha256:${hash('sha256', files.at(-1)?.bytes ?? '')}`;
    return {
      isCarried: true,
      // The site of an API may have no pages at all.
      standsAlone: true,
      drafts: (isPage) => surfaceDrafts(surface, { site, changes, isPage, feedChecksum }),
      project: async () => ({
        files: all,
        rules: files,
        paths: all.map(({ path }) => path),
        record: record.map(({ bytes }) => ({ path: SURFACE_FILE, bytes })),
      }),
    };
  },
};
