import type { StorageStatus } from '../health/storage-growth.ts';
import { withProblems } from '../http/api-problems.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';

/** The disk usage of the hub: only for its admin, since it describes the machine. */
export function storageRoute(readStorage: () => Promise<StorageStatus>): Route {
  return {
    method: 'GET',
    path: '/api/v1/storage',
    access: 'admin',
    summary: 'Size and growth of the data folder, and when its disk will be full.',
    responses: { 200: 'The figures, in bytes.' },
    answer: { mediaType: JSON_TYPE },
    handle: withProblems(async () => uncachedJson(200, await readStorage())),
  };
}
