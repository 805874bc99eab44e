import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { attribute, type HtmlElement } from '../extract/html-tree.ts';
import { parseHtml } from '../extract/parse-html.ts';
import { redirectTarget } from '../extract/redirect-target.ts';
import type { HttpHeaders } from '../fetch/http-client.ts';
import { PRODUCT_TOKEN } from '../fetch/user-agent.ts';
import type { LivePage } from './live-page.ts';

/** What a page says to a crawler that follows links. All URLs are absolute and may lead anywhere. */
export interface SiteLinks {
  /** The targets of `<a href>`, except those marked as not to be followed. */
  readonly links: readonly string[];
  /** The canonical URL of the page. */
  readonly canonical: string | undefined;
  /** Where the page sends its visitor at once. */
  readonly refresh: string | undefined;
  /** Whether the page allows indexing. */
  readonly mayIndex: boolean;
}

/** A page with more links is a trap. */
const MAX_LINKS = 10_000;

export function readSiteLinks({ text, url, headers }: LivePage): SiteLinks {
  const found = new Finder();
  found.visit(parseHtml(text));
  const wishes = [...found.wishes, ...robotsWordsIn(headers)];
  const forbids = (wish: string) => wishes.includes(wish) || wishes.includes('none');
  const base = resolve(found.base ?? '', url.href) ?? url.href;
  return {
    links: forbids('nofollow') ? [] : found.links.flatMap((href) => resolve(href, base) ?? []),
    canonical: found.canonical === undefined ? undefined : resolve(found.canonical, base),
    refresh: redirectTarget(text, url.href),
    mayIndex: !forbids('noindex'),
  };
}

class Finder {
  base: string | undefined;
  canonical: string | undefined;
  readonly links: string[] = [];
  readonly wishes: string[] = [];

  visit(element: HtmlElement): void {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      this.#take(child);
      this.visit(child);
    }
  }

  #take(element: HtmlElement): void {
    const { name } = element;
    if (name === 'a') this.#takeLink(element);
    else if (name === 'link' && isOfKind(element, 'canonical')) this.canonical ??= attribute(element, 'href');
    else if (name === 'base') this.base ??= attribute(element, 'href');
    else if (name === 'meta') this.#takeMeta(element);
  }

  #takeLink(link: HtmlElement): void {
    const href = attribute(link, 'href');
    if (href === undefined || this.links.length >= MAX_LINKS || isOfKind(link, 'nofollow')) return;
    if (!/^\s*(?:#|$)/.test(href)) this.links.push(href);
  }

  #takeMeta(meta: HtmlElement): void {
    const agent = attribute(meta, 'name')?.trim().toLowerCase();
    if (agent !== 'robots' && agent !== PRODUCT_TOKEN.toLowerCase()) return;
    this.wishes.push(...words(attribute(meta, 'content') ?? ''));
  }
}

function isOfKind(element: HtmlElement, kind: string): boolean {
  return (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/).includes(kind);
}

/** Rules that have a value; any other word before a colon is the name of a crawler. */
const VALUED = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))$/;

/** The words of `X-Robots-Tag`: `noindex, nofollow`, or `otherbot: noindex, nofollow` for another crawler. Several headers are joined by commas. */
export function robotsWordsIn({ 'x-robots-tag': header = '' }: HttpHeaders): string[] {
  let agent = '';
  const wishes: string[] = [];
  for (const part of header.toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([^\s:]+)\s*:(.*)$/.exec(part) ?? [];
    const isName = name !== undefined && !VALUED.test(name);
    if (isName) agent = name;
    if (agent === '' || agent === '*' || agent === PRODUCT_TOKEN.toLowerCase()) {
      wishes.push(...words(isName ? (rest ?? '') : part));
    }
  }
  return wishes;
}

function words(text: string): string[] {
  return text.toLowerCase().split(/[\s,;]+/);
}

function resolve(href: string, base: string): string | undefined {
  const trimmed = href.trim();
  return trimmed !== '' && canParseUrl(trimmed, base) ? new URL(trimmed, base).href : undefined;
}
