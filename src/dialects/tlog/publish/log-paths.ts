import { LOG_PREFIX } from '../../../codecs/tlog/log-origin.ts';
import type { HeaderRule } from '../../../model/artifact.ts';

export const CHECKPOINT = 'checkpoint';
export const VKEY = 'vkey';

/** The path of a log file in the folder of the site. */
export function sitePath(path: string): string {
  return `${LOG_PREFIX}/${path}`;
}

const TILE_TYPE = { mediaType: 'application/octet-stream', cacheControl: 'public, max-age=31536000, immutable' };
const NOTE_TYPE = { mediaType: 'text/plain; charset=utf-8', cacheControl: 'no-cache' };

/**
 * The headers of a file. Tiles never change at their path. A checkpoint that is older than the feeds would look as if it hid
 * something.
 */
export function servedAs(path: string): { readonly mediaType: string; readonly cacheControl: string } {
  if (path.startsWith('tile/')) return TILE_TYPE;
  return path.endsWith('.json') ? { ...NOTE_TYPE, mediaType: 'application/json' } : NOTE_TYPE;
}

/** Three rules cover all files, because hosts accept only about a hundred rules for a whole site. */
export const LOG_RULES: readonly HeaderRule[] = [
  { path: sitePath('tile/*'), ...TILE_TYPE, isOpen: true },
  { path: sitePath(CHECKPOINT), ...NOTE_TYPE, isOpen: true },
  { path: sitePath(VKEY), ...NOTE_TYPE, isOpen: true },
];
