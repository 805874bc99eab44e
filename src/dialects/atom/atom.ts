import type { Dialect } from '../dialect.ts';

export const ATOM: Dialect = {
  name: 'atom',
  projection: async () => (await import('./publish/projection.ts')).ATOM_PROJECTION,
  shelf: async () => (await import('./shelf/shelf.ts')).ATOM_SHELF,
  topics: (has) => ['changes.atom'].filter(has),
  hasArchives: true,
  aliases: ['rss', 'json-feed'],
  auditor: async () => (await import('./audit/auditor.ts')).ATOM_AUDITOR,
  reader: async () => (await import('./read/atom-reader.ts')).ATOM_READER,
};
