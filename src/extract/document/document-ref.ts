import { wellFormed } from '../../codecs/aidocument/parse-json.ts';
import { hashFields } from '../../codecs/aidocument/ref.ts';
import type { AIDocument, JsonObject, JsonValue } from '../../codecs/aidocument/wire.ts';
import { compareCodePoints } from '../../codecs/primitives/code-points.ts';
import { collapseSpace } from '../collapse-space.ts';
import { nfc, normalizeText, withoutInvisible } from '../fingerprint.ts';
import { isStableId } from '../heading-anchor.ts';
import { linkTarget } from '../link-target.ts';
import { MARKDOWN_LINK } from './markdown-link.ts';

/**
 * The name of a document's content, `aidoc:sha256:` and 32 hex digits: the same for the same content, whenever and however it was fetched (AWI-SCH6).
 *
 * It covers the eleven fields of the specification after noise is removed (T-AWI-5). Links and images count only if the Markdown shows them: all others belong
 * to the theme or to an advertisement. Refs of other implementations are not comparable with ours.
 *
 * @example
 * const moved = refOf(readPage(html, url)) !== before.schema.ref;
 */
export function refOf({ source, identity, content, structure }: Omit<AIDocument, 'schema'>): string {
  const { url, canonical_url } = source;
  const { title, description, language, content_type } = identity;
  const settle = (text: string) => normalizeText(wellFormed(text));
  const targetOf = remember((target) => settledTarget(target, url));
  const targets = targetsIn(content.markdown, targetOf);
  const alts = altsIn(content.markdown);
  const headings = (structure.headings ?? []).map(({ level, text, id }) => ({
    level,
    text: settle(text),
    ...(isStableId(id, text) && { id: wellFormed(id) }),
  }));
  const links = (structure.links ?? []).map((link) => targetOf(link.url)).filter((link) => targets.has(link));
  const images = (structure.images ?? [])
    .filter(({ alt }) => alt !== undefined && alts.has(escapedAlt(alt)))
    .map((image) => `${settledAsset(image.url, url)} ${settle(image.alt ?? '')}`);

  return hashFields({
    url: wellFormed(url),
    ...(canonical_url !== undefined && { canonical_url: wellFormed(canonical_url) }),
    ...(title !== undefined && { title: settle(title) }),
    ...(description !== undefined && { description: settle(description) }),
    ...(language !== undefined && { language: settle(language) }),
    ...(content_type !== undefined && { content_type: settle(content_type) }),
    markdown: settledMarkdown(wellFormed(content.markdown), targetOf),
    ...(headings.length > 0 && { headings }),
    ...(links.length > 0 && { links: distinct(links) }),
    ...(images.length > 0 && { images: distinct(images) }),
    ...(structure.structured_data && { structured_data: settledObject(structure.structured_data) }),
  });
}

type Settle = (target: string) => string;

/** The same addresses occur in links and in the Markdown, and parsing them is expensive. */
function remember(settle: Settle): Settle {
  const known = new Map<string, string>();
  return (target) => {
    const settled = known.get(target) ?? settle(target);
    known.set(target, settled);
    return settled;
  };
}

function targetsIn(markdown: string, targetOf: Settle): ReadonlySet<string> {
  return new Set(Array.from(markdown.matchAll(MARKDOWN_LINK), ([, target = '']) => targetOf(target)));
}

/** The text of each `![…]`, with brackets escaped as there. */
function altsIn(markdown: string): ReadonlySet<string> {
  const alts = new Set<string>();
  for (let at = markdown.indexOf('!['); at !== -1; at = markdown.indexOf('![', at)) {
    const start = at + 2;
    at = markdown.indexOf(']', start);
    while (at !== -1 && markdown[at - 1] === '\\') at = markdown.indexOf(']', at + 1);
    if (at === -1) break;
    alts.add(markdown.slice(start, at));
  }
  return alts;
}

/** Without tracking and session parameters. Empty for a place on the page itself. */
function settledTarget(target: string, pageUrl: string): string {
  return wellFormed(linkTarget(target, pageUrl) ?? '');
}

/** A build hash in a file name: `logo.9f3b1c.png`, `logo-9f3b1c2d.png`, `logo.Dk3jf9Qz.png`. */
const BUILD_MARK =
  /[.-](?:(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{6,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{8})(?=\.[a-zA-Z0-9]+$)/;

function settledAsset(address: string, pageUrl: string): string {
  return settledTarget(address, pageUrl).replace(BUILD_MARK, '');
}

function escapedAlt(alt: string): string {
  return alt.replace(/[[\]]/g, '\\$&');
}

/** Keeps lines of code as they are. Normalizes all other white space, the language of code and the noise in addresses. */
function settledMarkdown(markdown: string, targetOf: Settle): string {
  const lines = nfc(withoutInvisible(markdown)).split('\n');
  let fence: string | undefined;
  return lines
    .map((line) => {
      const mark = line.includes('```') ? /^[\s>]*(`{3,})/.exec(line)?.[1] : undefined;
      if (fence === undefined && mark !== undefined) {
        fence = mark;
        return mark;
      }
      if (fence !== undefined) {
        if (mark === fence && line.trimEnd().endsWith(fence)) fence = undefined;
        return line.trimEnd();
      }
      const settled = line.includes('](')
        ? line.replace(MARKDOWN_LINK, (_, target: string) => `](${targetOf(target)})`)
        : line;
      return collapseSpace(settled).trim();
    })
    .filter((line) => line !== '')
    .join('\n');
}

/** Counters of readers, not content. */
const COUNTERS = new Set([
  ...['commentCount', 'ratingCount', 'reviewCount', 'ratingValue'],
  ...['userInteractionCount', 'interactionStatistic', 'interactionCount'],
]);

function settledObject(value: JsonObject): JsonObject {
  const members = Object.entries(value).filter(([key]) => !COUNTERS.has(key));
  return Object.fromEntries(members.map(([key, member]) => [wellFormed(key), settledValue(member)]));
}

function settledValue(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return /^https?:\/\/\S+$/.test(value) ? settledTarget(value, NO_PAGE) : wellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map(settledValue) : settledObject(value);
}

/** In data, an address of the page itself is kept as it is. */
const NO_PAGE = 'about:blank';

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(compareCodePoints);
}
