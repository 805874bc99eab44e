import type { VerbGroup } from '../verb.ts';
import { sourceAdd } from './source-add.ts';
import { sourceImport } from './source-import.ts';
import { sourceExport, sourceList } from './source-list.ts';
import { sourcePause, sourceRemove, sourceResume, sourceRetrust } from './source-steer.ts';
import { sourceTest } from './source-test.ts';

export const source: VerbGroup = {
  name: 'source',
  summary: 'Watch these sites: what a hub looks at, with a list of them in and out.',
  verbs: [
    sourceAdd,
    sourceList,
    sourcePause,
    sourceResume,
    sourceRetrust,
    sourceRemove,
    sourceTest,
    sourceImport,
    sourceExport,
  ],
};
