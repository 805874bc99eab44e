import type { VerbGroup } from './verb.ts';

export const SOURCE: VerbGroup = {
  name: 'source',
  summary: 'Manage the sources that a hub watches, with import and export of lists.',
  verbs: [
    {
      name: 'add',
      args: '<url|dir>',
      summary: 'Add a source: a live site, a page, a feed, or a folder of built HTML.',
      load: async () => (await import('./commands/source-add.ts')).sourceAdd,
    },
    {
      name: 'list',
      args: '',
      summary: 'List the sources, their state, and the times of the last and next check.',
      load: async () => (await import('./commands/source-list.ts')).sourceList,
    },
    {
      name: 'rules',
      args: '<id>',
      summary: 'Set which parts of a source to skip, or to read only. Replaces all earlier rules.',
      load: async () => (await import('./commands/source-steer.ts')).sourceRules,
    },
    {
      name: 'pause',
      args: '<id>',
      summary: 'Stop checking a source until it is resumed.',
      load: async () => (await import('./commands/source-steer.ts')).sourcePause,
    },
    {
      name: 'resume',
      args: '<id>',
      summary: 'Resume a source and check it at once.',
      load: async () => (await import('./commands/source-steer.ts')).sourceResume,
    },
    {
      name: 'retrust',
      args: '<id>',
      summary: 'Trust an agent-feed again that was terminated or moved. The decision is recorded.',
      load: async () => (await import('./commands/source-steer.ts')).sourceRetrust,
    },
    {
      name: 'remove',
      args: '<id>',
      summary: 'Remove a source. Its changes stay in the log.',
      load: async () => (await import('./commands/source-steer.ts')).sourceRemove,
    },
    {
      name: 'test',
      args: '<id|url|dir>',
      summary: 'Check whether a source can be watched: read it once and record nothing.',
      load: async () => (await import('./commands/source-test.ts')).sourceTest,
    },
    {
      name: 'import',
      args: '<file|url>',
      summary: 'Add many sources from a list of URLs, an OPML file, a sitemap, or an export.',
      load: async () => (await import('./commands/source-import.ts')).sourceImport,
    },
    {
      name: 'export',
      args: '',
      summary: 'Print all sources, to keep or to import elsewhere.',
      load: async () => (await import('./commands/source-list.ts')).sourceExport,
    },
  ],
};
