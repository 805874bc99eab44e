import { LiveSiteError } from '../errors/live-site-error.ts';
import type { Place } from '../model/folder.ts';

/**
 * A file that a place may never have had. Some hosts answer with a page for whatever they do not have: none of our feeds, lists and
 * packages is HTML, so that a page says clearly enough that the file is not there.
 */
export async function readIfThere(place: Place, path: string): Promise<Uint8Array | undefined> {
  try {
    return await place.read(path);
  } catch (error) {
    if (error instanceof LiveSiteError && error.isPage) return undefined;
    throw error;
  }
}
