import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedFile } from '../../dialects/checker.ts';
import { FolderError } from '../../errors/folder-error.ts';
import { codeOf } from './folder.ts';

/** More are no folder of documents but a disk. */
const MAX_FILES = 100_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Every `*.json` in a folder and below, in the order of their names. Links are not followed. */
export async function* readJsonFiles(folder: string): AsyncIterable<CheckedFile> {
  for (const file of await listJson(folder)) yield { name: file, bytes: await readBounded(file) };
}

async function listJson(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new FolderError(folder, `it cannot be read (${codeOf(error)}). Check the path and its permissions.`, error);
  });
  const files = entries.filter((entry) => entry.isFile() && /\.json$/i.test(entry.name));
  if (files.length > MAX_FILES) throw new FolderError(folder, `it holds more than ${MAX_FILES} JSON files.`);
  return files.map((file) => join(file.parentPath, file.name)).sort();
}

async function readBounded(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw new FolderError(file, `it is larger than ${MAX_FILE_BYTES} bytes.`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof FolderError) throw error;
    throw new FolderError(file, `it cannot be read (${codeOf(error)}). Check its permissions.`, error);
  }
}
