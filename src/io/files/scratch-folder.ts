import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder of our own for as long as it is needed, readable by nobody else. */
export async function openScratchFolder(name: string): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), `${name}-`));
  return { path, [Symbol.asyncDispose]: () => removeFolder(path) };
}

/** With all that is in it. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Copies the files of a folder whose names fit, without subfolders. Does nothing if there is no folder. */
export async function copyFiles(from: string, to: string, fits: (name: string) => boolean): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && fits(entry.name)).map(({ name }) => name);
  if (names.length > 0) await mkdir(to, { recursive: true });
  for (const name of names) await copyFile(join(from, name), join(to, name));
}
