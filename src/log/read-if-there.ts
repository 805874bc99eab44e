import { LiveSiteError } from '../errors/live-site-error.ts';
import type { Place } from '../model/folder.ts';

/**
 * Reads a file that may not exist. Some hosts answer every unknown path with an HTML page. None of our feeds, lists and packages is HTML, so an HTML
 * page means that the file does not exist.
 */
export async function readIfThere(place: Place, path: string): Promise<Uint8Array | undefined> {
  try {
    return await place.read(path);
  } catch (error) {
    if (error instanceof LiveSiteError && error.isPage) return undefined;
    throw error;
  }
}
