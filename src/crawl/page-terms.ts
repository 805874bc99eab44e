import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { type TdmReservation, tdmReservation } from '../codecs/usage-terms/tdmrep.ts';
import { attribute, type HtmlElement } from '../extract/html-tree.ts';
import { parseHtml } from '../extract/parse-html.ts';
import { PRODUCT_TOKEN } from '../fetch/user-agent.ts';
import type { LivePage } from './live-page.ts';

/** What a page itself says of its use. */
export interface PageTerms {
  /** Of `<meta name="robots">`, in lower case. */
  readonly robotsWords: readonly string[];
  readonly tdm?: TdmReservation;
  /** Files of RSL. */
  readonly licenses: readonly string[];
}

const RSL_TYPE = 'application/rsl+xml';
const MAX_LICENSES = 20;

export function readPageTerms({ text, url }: Pick<LivePage, 'text' | 'url'>): PageTerms {
  const meta = new Map<string, string>();
  const licenses: string[] = [];
  const visit = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      if (child.name === 'meta') takeMeta(child, meta);
      else if (child.name === 'link') licenses.push(...licenseOf(child, url));
      visit(child);
    }
  };
  visit(parseHtml(text));
  const words = ['robots', PRODUCT_TOKEN.toLowerCase()].map((name) => meta.get(name) ?? '').join(' ');
  const tdm = tdmReservation(meta.get('tdm-reservation'), meta.get('tdm-policy'));
  return {
    robotsWords: words.toLowerCase().split(/[\s,;]+/),
    licenses: licenses.slice(0, MAX_LICENSES),
    ...(tdm !== undefined && { tdm }),
  };
}

/** `<https://…>; rel="license"; type="application/rsl+xml"`, one or more with commas between them. */
export function linkedLicenses(link: string, url: URL): readonly string[] {
  const found: string[] = [];
  for (const [, target = '', parameters = ''] of link.matchAll(/<([^>]*)>([^<]*)/g)) {
    const isLicense = /;\s*rel\s*=\s*"?(?:[^";]*\s)?license(?:\s[^";]*)?"?/i.test(parameters);
    const isRsl = parameters.toLowerCase().includes(RSL_TYPE);
    if (isLicense && isRsl && canParseUrl(target, url.href)) found.push(new URL(target, url).href);
  }
  return found.slice(0, MAX_LICENSES);
}

function takeMeta(element: HtmlElement, meta: Map<string, string>): void {
  const name = attribute(element, 'name')?.trim().toLowerCase();
  const content = attribute(element, 'content');
  if (name !== undefined && content !== undefined && !meta.has(name)) meta.set(name, content);
}

function licenseOf(link: HtmlElement, url: URL): readonly string[] {
  const [rel = '', type = '', href = ''] = ['rel', 'type', 'href'].map((name) => attribute(link, name) ?? '');
  if (!rel.toLowerCase().split(/\s+/).includes('license') || type.trim().toLowerCase() !== RSL_TYPE) return [];
  return canParseUrl(href, url.href) ? [new URL(href, url).href] : [];
}
