import { LiveSiteError } from '../errors/live-site-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import type { Place } from '../model/folder.ts';

/** The largest state or feed; far above what a site of 100,000 pages needs. */
const MAX_BODY_BYTES = 1024 * 1024 * 1024;
const DEADLINE_MS = 10 * 60_000;

/** The published site as a place to read from. Only 404 and 410 mean that a file does not exist. */
export function liveSite(http: HttpClient, base: URL, signal?: AbortSignal): Place {
  return {
    name: base.href.replace(/\/$/, ''),

    async read(path) {
      const url = new URL(path, base);
      // A cache between us and the site must not return a state that is older than the feeds.
      const headers = { 'cache-control': 'no-cache' };
      const response = await http.get({ url, headers, maxBodyBytes: MAX_BODY_BYTES, deadlineMs: DEADLINE_MS, signal });
      if (response.status === 404 || response.status === 410) {
        await response.discard();
        return undefined;
      }
      if (response.status !== 200) {
        await response.discard();
        throw new LiveSiteError(
          url,
          `answered with status ${response.status}.`,
          'Run this again when the site is well.',
        );
      }
      if (/^text\/html\b/i.test(response.headers['content-type'] ?? '')) {
        await response.discard();
        throw new LiveSiteError(
          url,
          'answered with an HTML page instead of the file.',
          'If Tidings never published this site, leave --previous out; else make the host answer 404 for missing files.',
          { isPage: true },
        );
      }
      return await readBytes(response, { maxBytes: MAX_BODY_BYTES });
    },
  };
}

/** A part of a place: the files below one of its folders. */
export function placeBelow(place: Place, folder: string): Place {
  return { name: `${place.name}/${folder}`, read: (path) => place.read(`${folder}/${path}`) };
}
