import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { ENTRY, LIMIT } from '../../../codecs/resourcesync/issue.ts';
import {
  addressOf,
  correction,
  isElsewhere,
  type ListContext,
  linkOf,
  type SeenList,
  shown,
  type Tell,
  withAttribute,
} from './list-context.ts';
import type { RawElement, RawEntry, RawText } from './raw-document.ts';

/** The sitemap protocol requires fewer characters than this. */
const MAX_LOC_LENGTH = 2048;

/** The address of an entry in normal form. If it has none that could be requested, reports that and returns undefined. */
export function checkLoc(
  entry: RawEntry,
  { clause, list }: { readonly clause: string; readonly list: SeenList },
  tell: Tell,
  context: ListContext,
): string | undefined {
  const [loc, second] = entry.locs;
  if (loc === undefined || loc.text === '') {
    const seen = `<${entry.local}> has no address.`;
    const remedy = 'Write in it: <loc>https://…</loc>';
    tell(loc?.line ?? entry.line, { clause, level: 'MUST', sort: 'no loc', seen, remedy });
    return undefined;
  }
  if (second !== undefined) {
    const seen = `<${entry.local}> has more than one <loc>.`;
    tell(second.line, { clause, level: 'MUST', sort: 'two locs', seen, remedy: 'Give each address its own entry.' });
    return undefined;
  }
  const address = addressOf(loc.text);
  if (address === undefined) {
    const right = absoluteOf(loc.text, list.url);
    const remedy = correction(right && `<loc>${escaped(right)}</loc>`, 'Write the whole address, from https:// on.');
    const seen = `<loc>${shown(loc.text)}</loc> is not an absolute http(s) URL.`;
    tell(loc.line, { clause, level: 'MUST', sort: 'relative', seen, remedy });
    return undefined;
  }
  checkSpelling(loc, address, tell);
  checkPlace(loc, address, tell, context);
  return address;
}

function checkSpelling({ line, text }: RawText, address: string, tell: Tell): void {
  if (text.length >= MAX_LOC_LENGTH) {
    const seen = `<loc>${shown(text)}</loc> has ${text.length} characters.`;
    const remedy = `Sitemaps allow fewer than ${MAX_LOC_LENGTH}: give the page a shorter address.`;
    tell(line, { clause: LIMIT, sort: 'long', seen, remedy });
  }
  if (/\s/.test(text)) {
    const remedy = `Write: <loc>${escaped(address)}</loc>`;
    const seen = `<loc>${shown(text)}</loc> has blanks in it.`;
    tell(line, { clause: ENTRY, level: 'SHOULD', sort: 'blanks', seen, remedy });
  }
}

function checkPlace({ line, text }: RawText, address: string, tell: Tell, context: ListContext): void {
  const { site } = context;
  if (site === undefined) return;
  if (isElsewhere(address, context)) {
    const seen = `<loc>${shown(text)}</loc> is on another site than ${site.origin}.`;
    const remedy = 'List what is on the site itself: harvesters follow nothing else.';
    tell(line, { clause: ENTRY, level: 'SHOULD', sort: 'foreign', seen, remedy });
    return;
  }
  const url = new URL(address);
  if (url.protocol === site.protocol || url.hostname !== site.hostname) return;
  const right = new URL(address.replace(/^https?:/, site.protocol));
  const seen = `<loc>${shown(text)}</loc> is ${url.protocol.slice(0, -1)}, and the site is ${site.protocol.slice(0, -1)}.`;
  const remedy = `Write: <loc>${escaped(right.href)}</loc>`;
  tell(line, { clause: ENTRY, level: 'SHOULD', sort: 'scheme', seen, remedy });
}

interface WantedLink {
  readonly rel: string;
  readonly clause: string;
  readonly expected?: string | undefined;
}

/** The link of a required relation. If it is missing, reports that and returns undefined. */
export function checkLink(
  of: { readonly lns: readonly RawElement[]; readonly line: number; readonly written: string },
  { rel, clause, expected }: WantedLink,
  tell: Tell,
): { readonly element: RawElement; readonly address: string } | undefined {
  const element = linkOf(of.lns, rel);
  const right = `<rs:ln rel="${rel}" href="${escaped(expected ?? '…')}"/>`;
  if (element === undefined) {
    const seen = `${shown(of.written)} has no <rs:ln rel="${rel}">.`;
    tell(of.line, { clause, sort: `no ${rel}`, seen, remedy: `Write within it: ${right}` });
    return undefined;
  }
  const href = element.attributes.get('href') ?? '';
  const address = addressOf(href);
  if (address === undefined) {
    const whole = expected ?? absoluteOf(href, of.written);
    const remedy = correction(
      whole && withAttribute(element, 'href', whole),
      'Write the whole address, from https:// on.',
    );
    const seen = `${shown(element.written)} has no absolute http(s) URL.`;
    tell(element.line, { clause, sort: `href ${rel}`, seen, remedy });
    return undefined;
  }
  return { element, address };
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The most likely meaning of a relative address. */
function absoluteOf(text: string, base: string): string | undefined {
  if (text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) || !canParseUrl(base) || !canParseUrl(text, base))
    return undefined;
  return new URL(text, base).href;
}
