import type { Projected } from '../dialects/projection.ts';
import type { Artifact } from '../model/artifact.ts';
import type { Folder, Place } from '../model/folder.ts';
import { HEADERS_FILE, NO_JEKYLL, publishHeaders } from './static-host.ts';

export interface SiteFolders {
  /** The folder with the site's own `_headers`, if the site is a folder. */
  readonly dir: Place | undefined;
  readonly out: Folder;
  readonly state: Folder;
  /** The path of the state folder inside `out`, if it is there. */
  readonly statePath: string | undefined;
}

/** Writes the projected files, each after those that it points to, and returns the paths of all published files. */
export async function writeSite(
  { files, rules, paths, record, closing, memory, stale }: Required<Projected>,
  folders: SiteFolders & { readonly statePaths: readonly string[] },
  site: URL,
): Promise<readonly string[]> {
  const { out, state, statePath } = folders;
  const hosting: readonly Artifact[] = [publishHeaders(await ownHeaders(folders), rules, site), NO_JEKYLL];
  for (const { path, bytes } of record) await replaceIfOther(state, path, bytes);
  for (const { path, bytes } of [...files, ...hosting]) await replaceIfOther(out, path, bytes);
  for (const { path, bytes } of closing()) await replaceIfOther(out, path, bytes);
  for (const { path, bytes } of memory) await replaceIfOther(state, path, bytes);
  for (const path of stale) await out.remove(path);

  const stateFiles = [...folders.statePaths, ...memory.map(({ path }) => path)];
  const statePaths = statePath === undefined ? [] : stateFiles.map((file) => `${statePath}/${file}`);
  return [...statePaths, ...paths, ...hosting.map(({ path }) => path)];
}

async function ownHeaders({ dir, out }: SiteFolders): Promise<string> {
  const bytes = (await dir?.read(HEADERS_FILE)) ?? (await out.read(HEADERS_FILE));
  // Byte for byte, whatever encoding its author uses.
  return bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
}

/** Writes only the projected files, in the same order. */
export async function writeProjected(
  { files, record = [], closing, stale = [] }: Projected,
  { out, state }: Pick<SiteFolders, 'out' | 'state'>,
): Promise<void> {
  for (const { path, bytes } of record) await replaceIfOther(state, path, bytes);
  for (const { path, bytes } of files) await replaceIfOther(out, path, bytes);
  for (const { path, bytes } of closing?.() ?? []) await replaceIfOther(out, path, bytes);
  for (const path of stale) await out.remove(path);
}

/** Unchanged files keep their modification time, and with it their validators. */
async function replaceIfOther(folder: Folder, path: string, bytes: Uint8Array): Promise<void> {
  if (!isAsWritten(await folder.read(path), bytes)) await folder.replace(path, bytes);
}

export function isAsWritten(present: Uint8Array | undefined, bytes: Uint8Array): boolean {
  return present !== undefined && Buffer.compare(present, bytes) === 0;
}
