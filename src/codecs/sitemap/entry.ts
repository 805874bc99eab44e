import { canParseUrl } from '../primitives/can-parse-url.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { shorten } from '../primitives/shorten.ts';
import { parseTime } from '../primitives/time.ts';

export interface SitemapEntry {
  /** Absolute, http or https, without a fragment. */
  readonly url: string;
  /** `lastmod` as an RFC 3339 time, if it is valid. It is only a claim: builds set it to the time of the build. */
  readonly claimedTime?: string;
}

/** Twice what the specification allows; longer ones are made to fill memory. */
const MAX_LOC_LENGTH = 4096;

export function readSitemapEntry(loc: string, lastmod = ''): Result<SitemapEntry> {
  const text = loc.trim();
  if (text === '') return refuse('SITEMAP-LOC', 'it has no address.');
  if (text.length > MAX_LOC_LENGTH) return refuse('SITEMAP-LOC', `its address is over ${MAX_LOC_LENGTH} characters.`);
  if (text.includes('\ufffd'))
    return refuse('SITEMAP-LOC', `"${shorten(text)}" is not in the encoding that the file names.`);
  if (!/^https?:\/\//i.test(text) || !canParseUrl(text)) {
    return refuse('SITEMAP-LOC', `"${shorten(text)}" is not an absolute http(s) URL.`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refuse('SITEMAP-LOC', 'its address carries a password.');
  url.hash = '';
  const claimedTime = readLastmod(lastmod.trim());
  return accept({ url: url.href, ...(claimedTime !== undefined && { claimedTime }) });
}

/**
 * A date, or a date-time in which the seconds, or the colon of the zone, may be missing. Spec: https://www.w3.org/TR/NOTE-datetime
 */
const LASTMOD = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

function readLastmod(text: string): string | undefined {
  const [, day, minute = '00:00', second = ':00', zone = 'Z'] = LASTMOD.exec(text) ?? [];
  if (day === undefined) return undefined;
  const time = `${day}T${minute}${second}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`;
  return parseTime(time) === undefined ? undefined : time;
}
