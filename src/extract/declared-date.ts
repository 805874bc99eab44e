import { formatTime, parseTime } from '../codecs/primitives/time.ts';

/** A page older than the web has a wrong date. */
const EARLIEST_MS = Date.UTC(1990, 0, 1);
const PUBLISHED =
  /^(?:article:published_time|og:article:published_time|datepublished|date_?published|dc(?:terms)?\.(?:date\.)?(?:issued|created))$/i;
const LD_PUBLISHED = /"datePublished"\s{0,20}:\s{0,20}"([^"\\]{8,40})"/;
const MODIFIED = /updated|modified|edited|revised|reviewed|dateModified/i;
const META = /<meta\s[^>]{1,1000}>/gi;
const TIME = /<time\s[^>]{1,500}>/gi;
/** `2026-02-05`, optionally with a time of day and a zone. */
const DATE = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?)?\s*$/i;
/** The length of the text before a `<time>` that may explain it. */
const LABEL_CHARACTERS = 80;

/**
 * When a page says it was published, in RFC 3339: `article:published_time`, else JSON-LD's `datePublished`, else a `<time>` marked as such, else the first
 * `<time>` that is not the time of an edit. A date without a time is its beginning in UTC.
 */
export function declaredDate(html: string): string | undefined {
  const shown = html.replace(/<!--[\s\S]*?-->/g, '');
  const timeMs = ofMeta(shown) ?? ofData(shown) ?? ofTimes(shown);
  return timeMs === undefined ? undefined : formatTime(timeMs);
}

function ofMeta(html: string): number | undefined {
  for (const [tag] of html.matchAll(META)) {
    const name = attributeOf(tag, 'property') ?? attributeOf(tag, 'itemprop') ?? attributeOf(tag, 'name');
    if (name === undefined || !PUBLISHED.test(name.trim())) continue;
    const timeMs = dateOf(attributeOf(tag, 'content'));
    if (timeMs !== undefined) return timeMs;
  }
  return undefined;
}

function ofData(html: string): number | undefined {
  for (let at = html.indexOf('ld+json'); at !== -1; ) {
    const end = html.indexOf('</script', at);
    const timeMs = dateOf(LD_PUBLISHED.exec(html.slice(at, end === -1 ? html.length : end))?.[1]);
    if (timeMs !== undefined) return timeMs;
    at = end === -1 ? -1 : html.indexOf('ld+json', end);
  }
  return undefined;
}

function ofTimes(html: string): number | undefined {
  let first: number | undefined;
  for (const { 0: tag, index } of html.matchAll(TIME)) {
    const timeMs = dateOf(attributeOf(tag, 'datetime'));
    if (timeMs === undefined) continue;
    if (/\spubdate\b|datePublished|dt-published/i.test(tag)) return timeMs;
    const label = html.slice(Math.max(0, index - LABEL_CHARACTERS), index);
    if (!MODIFIED.test(tag) && !MODIFIED.test(label)) first ??= timeMs;
  }
  return first;
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? [];
  return double ?? single ?? bare;
}

function dateOf(text: string | undefined): number | undefined {
  const [, day, minutes = '00:00', seconds = ':00', zone = 'Z'] = DATE.exec(text ?? '') ?? [];
  if (day === undefined) return undefined;
  const timeMs = parseTime(`${day}T${minutes}${seconds}${zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')}`);
  return timeMs === undefined || timeMs < EARLIEST_MS ? undefined : timeMs;
}
