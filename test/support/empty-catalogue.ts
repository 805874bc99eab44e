import type { Catalogue } from '../../src/hub/catalogue/catalogue.ts';

/** The catalogue of a log without changes. */
export const EMPTY_CATALOGUE: Catalogue = {
  standing: { seq: 0, behind: 0 },
  tallies: async () => [],
  busiestSources: async () => [],
  timeline: async () => ({ changes: [] }),
  pages: async () => ({ pages: [] }),
  sections: async () => [],
  find: async () => ({ changes: [] }),
};
