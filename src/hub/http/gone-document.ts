import { problem } from './problem.ts';
import type { HubResponse } from './route.ts';

/** Where the changes of the log are, relative to the hub. */
const CHANGES_PATH = 'api/v1/changes';
/** Where the archives of the log are listed, relative to the hub. */
export const ARCHIVES_PATH = 'api/v1/archives';

/** 410 for a document that was served and is no longer kept: why, and where its changes are. */
export function goneDocument(why: string, baseUrl: string): HubResponse {
  const changes = new URL(CHANGES_PATH, baseUrl).href;
  const archives = new URL(ARCHIVES_PATH, baseUrl).href;
  return problem({
    status: 410,
    detail:
      `${why} The changes that it told of are at ${changes}; those that are no longer in the log are in the files ` +
      `that ${archives} lists.`,
    changes,
    archives,
  });
}
