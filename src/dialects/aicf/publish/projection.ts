import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import { ensureHub, withHubLinks } from '../../hub-links.ts';
import { type Projection, projectedFiles } from '../../projection.ts';
import { capabilitiesOf } from '../events/capabilities.ts';
import { aicfLines, publishAicf } from './aicf-files.ts';
import { rotateFeed } from './feed-file.ts';
import { aicfFeedPath } from './feed-path.ts';
import { planFeeds } from './plan-feeds.ts';
import { refuseOtherFeeds } from './refuse-other-feeds.ts';

/** A publish rewrites the open file, and hosts refuse large ones. */
const ROTATE_BYTES = 512 * 1024;

/** A site's log as AICF. Its marks say which changes are in which file, and follow the log whether the feed is written or not. */
export const AICF_PROJECTION: Projection = {
  stateKey: 'feeds',

  ensure({ rotateBytes, about, websub }) {
    ensureHub(websub);
    if (rotateBytes !== undefined && !(Number.isSafeInteger(rotateBytes) && rotateBytes > 0)) {
      throw new SettingRefusedError('rotate-bytes', rotateBytes, 'Give a whole number of bytes, 1 or more.');
    }
    if (about !== undefined && !canParseUrl(about)) {
      throw new SettingRefusedError('about', about, 'Give the absolute URL of a page that describes the feed.');
    }
  },

  async load({ out, previous }, published, options) {
    const { site, rotateBytes = ROTATE_BYTES, extensions = {} } = options;
    const places = previous === undefined ? [out] : [out, previous];
    let lines = aicfLines(published.changes);
    const plan = await planFeeds(published, places, site);
    await refuseOtherFeeds(plan.feeds, lines, places);
    let { feeds } = plan;
    return {
      plan(changes) {
        lines = [...lines, ...aicfLines(changes.slice(lines.length))];
        feeds = rotateFeed(feeds, lines, plan.published, { rotateBytes, pathOf: aicfFeedPath });
        return feeds;
      },
      async project({ about }) {
        const said = { ...(about !== undefined && { about }), ...options };
        const files = publishAicf(feeds, lines, { ...said, capabilities: capabilitiesOf(extensions) });
        return { ...projectedFiles(files), rules: withHubLinks(files, feeds.at(-1)?.path, options) };
      },
    };
  },
};
