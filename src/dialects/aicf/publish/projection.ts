import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import { type Projection, projectedFiles } from '../../projection.ts';
import { capabilitiesOf } from '../events/capabilities.ts';
import { aicfFeedPath, aicfLines, publishAicf } from './aicf-files.ts';
import { rotateFeed } from './feed-file.ts';
import { planFeeds } from './plan-feeds.ts';
import { refuseOtherFeeds } from './refuse-other-feeds.ts';

/** A publish writes the open file anew, and hosts refuse large ones. */
const ROTATE_BYTES = 512 * 1024;

/** A site's log as AICF. Its marks say which changes stand in which file, and go on with the log whether it is written or not. */
export const AICF_PROJECTION: Projection = {
  stateKey: 'feeds',

  ensure({ rotateBytes, about }) {
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
      project: async () =>
        projectedFiles(publishAicf(feeds, lines, { ...options, capabilities: capabilitiesOf(extensions) })),
    };
  },
};
