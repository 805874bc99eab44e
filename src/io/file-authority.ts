import { readFile } from 'node:fs/promises';
import { FolderError } from '../errors/folder-error.ts';

/** A PEM file with certificate authorities. */
export async function readAuthority(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new FolderError(file, 'this certificate authority cannot be read. Give --ca a PEM file.', error);
  }
}
