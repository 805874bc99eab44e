import type { Dialect } from '../dialect.ts';

export const LLMS_TXT: Dialect = {
  name: 'llms-txt',
  isOnRequest: true,
  projection: async () => (await import('./publish/projection.ts')).LLMS_TXT_PROJECTION,
  sighting: async () => (await import('./find-llms-txt.ts')).findLlmsTxt,
};
