import { hash } from 'node:crypto';
import { withLogKey } from '../../../codecs/agent-feed/did-log-key.ts';
import { didOf } from '../../../codecs/agent-feed/did-web.ts';
import { DID_PATH } from '../../../codecs/agent-feed/wire.ts';
import type { Artifact } from '../../../model/artifact.ts';
import { NOT_WRITTEN, type Projection } from '../../projection.ts';
import type { LogSigner } from '../../projection-settings.ts';
import { SURFACE_FILE } from '../surface/surface-record.ts';
import { refuseLostFeed } from './agent-feed.ts';
import { findSurface } from './find-surface.ts';
import { surfaceDrafts } from './surface-drafts.ts';

/** The surface of a site. It is kept whatever formats are chosen: a copy of the site without it could undo the end of a feed. */
export const AGENT_FEED_PROJECTION: Projection = {
  async load(places, { changes }, { site, isChosen, logSigner }) {
    const surface = await findSurface(places, site);
    if (surface === undefined) {
      if (isChosen) refuseLostFeed(changes);
      return NOT_WRITTEN;
    }
    const { record } = surface.published;
    const files =
      logSigner === undefined ? surface.published.files : surface.published.files.map(toldKey(site, logSigner));
    const all = [...record, ...files];
    const feedChecksum = `sha256:${hash('sha256', files.at(-1)?.bytes ?? '')}`;
    return {
      isCarried: true,
      // The site of an API may have no pages.
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

/** Adds the key of the site's provable log to did.json, for readers who trust that more than the file beside the log. */
function toldKey(site: URL, { publicKey }: LogSigner): (file: Artifact) => Artifact {
  return (file) => {
    if (file.path !== DID_PATH.slice(1)) return file;
    const made = withLogKey(Buffer.from(file.bytes).toString('utf8'), didOf(new URL('/', site)), publicKey);
    return made.ok ? { ...file, bytes: Buffer.from(made.value) } : file;
  };
}
