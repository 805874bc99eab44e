import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonFiles } from '../../check/gather-documents.ts';
import { FolderError } from '../../errors/folder-error.ts';
import { codeOf } from './folder.ts';

/** More are no folder of documents but a disk. */
const MAX_FILES = 100_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** A file, or every `*.json` in a folder and below, in the order of their names. Links are not followed. */
export async function openJsonFiles(target: string): Promise<JsonFiles> {
  try {
    const isFolder = (await stat(target)).isDirectory();
    return { isFolder, files: readAll(isFolder ? await listJson(target) : [target]) };
  } catch (error) {
    if (error instanceof FolderError) throw error;
    throw new FolderError(target, `it cannot be read (${codeOf(error)}). Check the path and its permissions.`, error);
  }
}

async function listJson(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.json$/i.test(entry.name));
  if (files.length > MAX_FILES) throw new FolderError(folder, `it holds more than ${MAX_FILES} JSON files.`);
  return files.map((file) => join(file.parentPath, file.name)).sort();
}

async function* readAll(files: readonly string[]): JsonFiles['files'] {
  for (const file of files) {
    try {
      const { size } = await stat(file);
      if (size > MAX_FILE_BYTES) throw new FolderError(file, `it is larger than ${MAX_FILE_BYTES} bytes.`);
      yield { where: file, bytes: await readFile(file) };
    } catch (error) {
      if (error instanceof FolderError) throw error;
      throw new FolderError(file, `it cannot be read (${codeOf(error)}). Check its permissions.`, error);
    }
  }
}
