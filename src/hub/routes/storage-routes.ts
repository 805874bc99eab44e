import type { StorageStatus } from '../health/storage-growth.ts';
import { withProblems } from '../http/api-problems.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';

/** What the hub takes on its disk: for its admin, since it tells of the machine. */
export function storageRoute(readStorage: () => Promise<StorageStatus>): Route {
  return {
    method: 'GET',
    path: '/api/v1/storage',
    access: 'admin',
    summary: 'What the data folder takes, how fast it grows, and when its disk is full.',
    responses: { 200: 'The figures, in bytes.' },
    answer: { mediaType: JSON_TYPE },
    handle: withProblems(async () => uncachedJson(200, await readStorage())),
  };
}
