import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { kindOfAddress } from './address-kind.ts';
import { attribute, type HtmlElement } from './html-tree.ts';

/** Manuals have at least this many headings with ids, and at least half of all. */
const MIN_NAMED_HEADINGS = 3;
const MIN_INLINE_CODE = 3;

const MANUAL_ADDRESS =
  /^https?:\/\/(?:[^/]*\.)?(?:docs?|developers?|api|wiki|manual|help|learn|readthedocs|guide)\.[^/]*\/|\/(?:docs?|documentation|manual|reference|api|wiki|handbook|man|guides?|tutorials?)(?:[/.?#]|$)/i;
const TALK_ADDRESS = /\/(?:questions\/\d|threads?[/-]|boards?\/|forums?\/|viewtopic|showthread)/i;
const POST_HOST = /^(?:blogs?|news)\./i;
const POST_PATH = /\/(?:blogs?|news|articles?|story|stories|posts?|insights|(?:19|20)\d\d\/\d\d?)\/./i;
const LIST_PATH = /\/(?:category|categories|tags?|topics?|authors?|page|search|archives?)\//i;
/** The name of a post has several words. One or two words name a list of posts. */
const MIN_NAME_WORDS = 3;
const TALK_TYPE = /\/(?:QAPage|DiscussionForumPosting)$/i;

export type PageKind = 'manual' | 'article' | 'talk' | 'other';

/**
 * The kind of a page, by features that no theme changes: its address, its metadata, its code and its headings.
 *
 * In a manual, names (class, id) are ignored, because a new theme does not change its content. An article is running text in one place. Any other page (shops,
 * forums, lists, companies) is read with the help of its names.
 */
export function pageKind(root: HtmlElement, url: string, isPublished = false): PageKind {
  if (TALK_ADDRESS.test(url) || isTalkAddress(url)) return 'talk';
  if (MANUAL_ADDRESS.test(url)) return 'manual';
  const isPost = isPublished || isPostAddress(url);
  const signs = { code: 0, headings: 0, named: 0, isTalk: false, isDated: false };
  look(root, signs);
  if (signs.isTalk) return 'talk';
  if (signs.code >= MIN_INLINE_CODE) return isPost && (signs.isDated || isPublished) ? 'article' : 'manual';
  if (signs.isDated || isPost) return 'article';
  return signs.named >= MIN_NAMED_HEADINGS && signs.named * 2 >= signs.headings ? 'manual' : 'other';
}

/** A thread, judging by the host or the path of a forum. */
function isTalkAddress(url: string): boolean {
  return canParseUrl(url) && kindOfAddress(new URL(url)) === 'forum';
}

/** "/blog/how-to-begin", "/2031/05/a-day-at-sea". */
function isPostAddress(url: string): boolean {
  if (!canParseUrl(url)) return false;
  const { hostname, pathname } = new URL(url);
  if (LIST_PATH.test(pathname) || !(POST_HOST.test(hostname) || POST_PATH.test(pathname))) return false;
  const name = pathname.split('/').findLast((part) => part !== '') ?? '';
  return name.split(/[-_+]/).length >= MIN_NAME_WORDS;
}

interface Signs {
  code: number;
  headings: number;
  named: number;
  isTalk: boolean;
  /** Has a publication date, like news and posts. */
  isDated: boolean;
}

function look(element: HtmlElement, signs: Signs): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const { name } = child;
    if (name === 'pre') signs.code += MIN_INLINE_CODE;
    else if (name === 'code') signs.code += 1;
    else if (name === 'meta') signs.isDated ||= saysArticle(child);
    else if (name.length === 2 && name >= 'h2' && name <= 'h6') {
      signs.headings += 1;
      if ((attribute(child, 'id') ?? '') !== '') signs.named += 1;
    }
    if (child.attributes.has('itemtype')) signs.isTalk ||= TALK_TYPE.test(attribute(child, 'itemtype') ?? '');
    look(child, signs);
  }
}

function saysArticle(meta: HtmlElement): boolean {
  const property = attribute(meta, 'property');
  if (property === 'og:type') return attribute(meta, 'content')?.trim().toLowerCase() === 'article';
  return property === 'article:published_time';
}
