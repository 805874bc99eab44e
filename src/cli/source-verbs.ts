import type { VerbGroup } from './verb.ts';

export const SOURCE: VerbGroup = {
  name: 'source',
  summary: 'Watch these sites: what a hub looks at, with a list of them in and out.',
  verbs: [
    {
      name: 'add',
      args: '<url|dir>',
      summary: 'Watch this: a live site, a page, a feed, or a folder of built HTML.',
      load: async () => (await import('./commands/source-add.ts')).sourceAdd,
    },
    {
      name: 'list',
      args: '',
      summary: 'What is watched, how it stands, and when it is looked at.',
      load: async () => (await import('./commands/source-list.ts')).sourceList,
    },
    {
      name: 'rules',
      args: '<id>',
      summary: 'Read this source by these rules and no others: what is left out, or read alone.',
      load: async () => (await import('./commands/source-steer.ts')).sourceRules,
    },
    {
      name: 'pause',
      args: '<id>',
      summary: 'Do not look at this source until it is resumed.',
      load: async () => (await import('./commands/source-steer.ts')).sourcePause,
    },
    {
      name: 'resume',
      args: '<id>',
      summary: 'Look at this source again, and at once.',
      load: async () => (await import('./commands/source-steer.ts')).sourceResume,
    },
    {
      name: 'retrust',
      args: '<id>',
      summary: 'Trust an agent-feed again that was terminated or moved. It is recorded.',
      load: async () => (await import('./commands/source-steer.ts')).sourceRetrust,
    },
    {
      name: 'remove',
      args: '<id>',
      summary: 'Forget this source. Its changes stay in the log.',
      load: async () => (await import('./commands/source-steer.ts')).sourceRemove,
    },
    {
      name: 'test',
      args: '<id|url|dir>',
      summary: 'Can this be watched? One read, of which nothing is recorded.',
      load: async () => (await import('./commands/source-test.ts')).sourceTest,
    },
    {
      name: 'import',
      args: '<file|url>',
      summary: 'Watch many: from a list of URLs, an OPML file, a sitemap, or an export.',
      load: async () => (await import('./commands/source-import.ts')).sourceImport,
    },
    {
      name: 'export',
      args: '',
      summary: 'Everything that is watched, to keep or to import elsewhere.',
      load: async () => (await import('./commands/source-list.ts')).sourceExport,
    },
  ],
};
