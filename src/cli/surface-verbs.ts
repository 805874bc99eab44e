import type { VerbGroup } from './verb.ts';

export const SURFACE: VerbGroup = {
  name: 'surface',
  summary: 'Publish signed facts about your API for agents: where it is, what changed, and when it ends.',
  verbs: [
    {
      name: 'init',
      args: '',
      summary: 'Create an empty feed, so that readers find it before there is anything to report.',
      load: async () => (await import('./commands/surface-keep.ts')).surfaceInit,
    },
    {
      name: 'announce',
      args: '',
      summary: 'Announce an endpoint: its URL, protocol and version.',
      load: async () => (await import('./commands/surface-announce.ts')).surfaceAnnounce,
    },
    {
      name: 'change',
      args: '',
      summary: 'Announce that an endpoint serves a new version of its schema, and what changed in it.',
      load: async () => (await import('./commands/surface-change.ts')).surfaceChange,
    },
    {
      name: 'deprecate',
      args: '',
      summary: 'Announce when an endpoint will end.',
      load: async () => (await import('./commands/surface-deprecate.ts')).surfaceDeprecate,
    },
    {
      name: 'diff',
      args: '<old> <new>',
      summary: 'Compare two descriptions of your API, and show what agents have to know.',
      load: async () => (await import('./commands/surface-diff.ts')).surfaceDiff,
    },
    {
      name: 'watch',
      args: '<description>',
      summary: 'Report when the description of your API changes, and draft or publish what agents have to know.',
      load: async () => (await import('./commands/surface-watch.ts')).surfaceWatch,
    },
    {
      name: 'archive',
      args: '',
      summary: 'Remove entries that a new reader does not need from the feed. The record keeps them.',
      load: async () => (await import('./commands/surface-keep.ts')).surfaceArchive,
    },
    {
      name: 'drill',
      args: '',
      summary: 'Rehearse the kill switch on a copy of the feed: readers must stop trusting it. Writes nothing.',
      load: async () => (await import('./commands/surface-drill.ts')).surfaceDrill,
    },
    {
      name: 'terminate',
      args: '',
      summary: 'Use the kill switch: no agent may rely on this feed any more. This cannot be undone.',
      load: async () => (await import('./commands/surface-end.ts')).surfaceTerminate,
    },
    {
      name: 'migrate',
      args: '',
      summary: 'Announce that the feed has moved to another address. This cannot be undone.',
      load: async () => (await import('./commands/surface-end.ts')).surfaceMigrate,
    },
  ],
};
