import type { VerbGroup } from './verb.ts';

export const SURFACE: VerbGroup = {
  name: 'surface',
  summary: 'Tell agents about my API: signed facts about where it is, what changed in it, and when it ends.',
  verbs: [
    {
      name: 'init',
      args: '',
      summary: 'Begin an empty feed: readers find it before there is anything to tell.',
      load: async () => (await import('./commands/surface-keep.ts')).surfaceInit,
    },
    {
      name: 'announce',
      args: '',
      summary: 'This endpoint is served here, in this version.',
      load: async () => (await import('./commands/surface-announce.ts')).surfaceAnnounce,
    },
    {
      name: 'change',
      args: '',
      summary: 'This endpoint serves another version of its schema now, and this is what is different.',
      load: async () => (await import('./commands/surface-change.ts')).surfaceChange,
    },
    {
      name: 'deprecate',
      args: '',
      summary: 'This endpoint ends at a time that I tell now.',
      load: async () => (await import('./commands/surface-deprecate.ts')).surfaceDeprecate,
    },
    {
      name: 'diff',
      args: '<old> <new>',
      summary: 'What would agents have to know between these two descriptions of my API?',
      load: async () => (await import('./commands/surface-diff.ts')).surfaceDiff,
    },
    {
      name: 'watch',
      args: '<description>',
      summary: 'Tell me when the description of my API changes, and draft or publish what agents have to know.',
      load: async () => (await import('./commands/surface-watch.ts')).surfaceWatch,
    },
    {
      name: 'archive',
      args: '',
      summary: 'Take entries out of the feed that a new reader does not need. The record keeps them.',
      load: async () => (await import('./commands/surface-keep.ts')).surfaceArchive,
    },
    {
      name: 'drill',
      args: '',
      summary: 'Rehearse the kill switch on a copy of the feed: readers must end untrusted. Nothing is written.',
      load: async () => (await import('./commands/surface-drill.ts')).surfaceDrill,
    },
    {
      name: 'terminate',
      args: '',
      summary: 'The kill switch: no agent may rely on this feed any more. There is no way back.',
      load: async () => (await import('./commands/surface-end.ts')).surfaceTerminate,
    },
    {
      name: 'migrate',
      args: '',
      summary: 'The feed is at another address from now on. There is no way back.',
      load: async () => (await import('./commands/surface-end.ts')).surfaceMigrate,
    },
  ],
};
