import type { Command } from 'commander';
import type { PublishOptions } from '../doors/publish.ts';
import type { CollectionSetting } from '../model/collection.ts';
import { wholeNumber } from './option-values.ts';
import type { World } from './world.ts';

/** What the lists of ResourceSync and the feed for people are made of. */
export function addListOptions(command: Command): Command {
  return command
    .option('--title <text>', 'what the site is called, for people')
    .option('--author <name>', 'who writes it')
    .option('--collection <path[=title]>', 'a part that may be followed by itself; may be repeated', collection)
    .option('--list-entries <count>', 'split lists with more entries than this (at most 50000)', wholeNumber(1))
    .option(
      '--list-bytes <bytes>',
      'split lists that are larger than this (default: 512 KiB for change lists)',
      wholeNumber(1),
    )
    .option('--sitemap', 'write resourcesync/sitemap.xml too: when each page last said something else')
    .option('--atom-entries <count>', 'so many entries stay in changes.atom (default: 100)', wholeNumber(1))
    .option('--websub <url>', 'the WebSub hub that pushes changes.atom and ai-changes.ndjson')
    .option('--dumps', 'write the pages as ZIP packages too')
    .option('--no-changes-page', 'write no page of changes for people at /changes/')
    .option('--no-excerpts', 'keep texts of pages, as they are and were, out of everything that is written');
}

type ListOptions = Pick<
  PublishOptions,
  | 'title'
  | 'author'
  | 'excerpts'
  | 'changesPage'
  | 'collections'
  | 'listEntries'
  | 'listBytes'
  | 'sitemap'
  | 'atomEntries'
  | 'websub'
  | 'dumps'
>;

/** Those of the flags, else those of the settings. */
export function listOptionsOf(options: Readonly<Record<string, unknown>>, { settings }: World): ListOptions {
  const { title, author, collections, listEntries, listBytes, sitemap, atomEntries, websub, dumps } = {
    ...settings,
    ...(options.collection !== undefined && { collections: options.collection }),
    ...options,
  } as ListOptions;
  const excerpts = options.excerpts !== false && settings?.excerpts !== false;
  const changesPage = options.changesPage !== false && settings?.changesPage !== false;
  return {
    title,
    author,
    collections,
    listEntries,
    listBytes,
    sitemap,
    atomEntries,
    websub,
    dumps,
    excerpts,
    changesPage,
  };
}

function collection(text: string, earlier: readonly CollectionSetting[] = []): readonly CollectionSetting[] {
  const [path = '', ...title] = text.split('=');
  return [...earlier, title.length === 0 ? { path } : { path, title: title.join('=') }];
}
