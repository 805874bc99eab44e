import { join } from 'node:path';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { mergeSources } from '../hub/watch/watch-sources.ts';
import { hasWriter } from '../io/sqlite/writer-presence.ts';
import { clearSourcePauses } from './clear-source-pauses.ts';
import { makeHubFolder, openHubFolder } from './hub-folder.ts';
import type { SourcePlace } from './source-place.ts';
import { type SourceKeep, StoredSources } from './stored-sources.ts';

export interface SourceFolderOptions {
  readonly config: HubConfig;
  /** The file with the sources of the config. */
  readonly configFile?: string;
  /** Only read. Possible beside a running hub. */
  readonly readonly: boolean;
  readonly now: () => number;
  readonly test: SourcePlace['test'];
}

/** The sources of a hub that is not running: those in its data folder, and those in its config. */
export async function openSourceFolder(options: SourceFolderOptions): Promise<SourcePlace> {
  const { config, readonly, now, configFile, test } = options;
  const { data, sources, allowPrivate } = config;
  let store = await openHubFolder(data, readonly);
  const clearPauses: SourceKeep['clearPauses'] = (source) => clearSourcePauses(source, join(data, 'cache'));
  const keep: SourceKeep = {
    isRunning: false,
    get store() {
      return store;
    },
    async writable() {
      if (readonly) throw new Error('The store was opened for reading.');
      store ??= await makeHubFolder(data);
      return store;
    },
    merge: (stored, merging) => mergeSources(stored, sources, merging),
    edit: (work) => work(async (edited) => (await keep.writable()).putSources(edited)),
    clearPauses,
    /** Changes nothing beside a running hub, which knows the pauses of its hosts. */
    async test(source) {
      if (!(await hasWriter(data))) await clearPauses(source);
      return await test(source);
    },
    async [Symbol.asyncDispose]() {
      await store?.[Symbol.asyncDispose]();
    },
  };
  return new StoredSources(keep, { allowPrivate, configFile, now });
}
