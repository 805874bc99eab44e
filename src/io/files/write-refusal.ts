import { accessSync, constants } from 'node:fs';
import { codeOf } from './folder.ts';

/** Why nothing can be written in a folder that is there: its disk is mounted for reading only, or this user may not. */
export function writeRefusalOf(folder: string): 'read-only disk' | 'no permission' | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EROFS') return 'read-only disk';
    return code === 'EACCES' || code === 'EPERM' ? 'no permission' : undefined;
  }
}
