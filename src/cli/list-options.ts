import type { Command } from 'commander';
import type { PublishOptions } from '../doors/publish.ts';
import type { CollectionSetting } from '../model/collection.ts';
import { wholeNumber } from './option-values.ts';
import type { World } from './world.ts';

/** Options for the lists of ResourceSync and the feed for people. */
export function addListOptions(command: Command): Command {
  return command
    .option('--title <text>', 'title of the site, for people')
    .option('--author <name>', 'author of the site')
    .option(
      '--collection <path[=title]>',
      'a part of the site that can be followed separately (repeatable)',
      collection,
    )
    .option('--list-entries <count>', 'split lists with more entries than this (at most 50000)', wholeNumber(1))
    .option('--list-bytes <bytes>', 'split lists larger than this (default: 512 KiB for change lists)', wholeNumber(1))
    .option('--sitemap', 'also write resourcesync/sitemap.xml, with the time of the last change of each page')
    .option('--atom-entries <count>', 'keep at most this many entries in changes.atom (default: 100)', wholeNumber(1))
    .option('--websub <url>', 'the WebSub hub that pushes changes.atom and ai-changes.ndjson')
    .option('--dumps', 'also write the pages as ZIP packages')
    .option('--no-changes-page', 'do not write the page of changes for people at /changes/')
    .option('--no-excerpts', 'keep texts of pages, old and new, out of everything that is written');
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

/** From the flags, else from the settings. */
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
