import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { type TdmReservation, tdmReservation } from '../codecs/usage-terms/tdmrep.ts';
import { attribute, type HtmlElement } from '../extract/html-tree.ts';
import { parseHtml } from '../extract/parse-html.ts';
import { PRODUCT_TOKEN } from '../fetch/user-agent.ts';
import type { LivePage } from './live-page.ts';

/** What a page itself says about its use. */
export interface PageTerms {
  /** Of `<meta name="robots">`, in lower case. */
  readonly robotsWords: readonly string[];
  readonly tdm?: TdmReservation;
  /** RSL files. */
  readonly licenses: readonly string[];
  /** RSL licences embedded in the page, as XML. */
  readonly inlineRsl: readonly string[];
  /** Licences for people. */
  readonly otherLicenses: readonly string[];
}

const RSL_TYPE = 'application/rsl+xml';
const MAX_LICENSES = 20;
const ROBOTS = ['robots', PRODUCT_TOKEN.toLowerCase()];
/** A page without any of these words says nothing, so most pages need not be parsed again. */
const WORDS = `robots|tdm-reservation|\\blicense\\b|rsl\\+xml|${PRODUCT_TOKEN}`;
const SAYS_SOMETHING = new RegExp(WORDS, 'i');
/** Such an element with such a word in it. */
const SPEAKS_LATE = new RegExp(`<(?:meta|link|script)\\b[^<>]{0,500}(?:${WORDS})`, 'i');
export const NO_PAGE_TERMS: PageTerms = { robotsWords: [], licenses: [], inlineRsl: [], otherLicenses: [] };

export function readPageTerms({ text, url }: Pick<LivePage, 'text' | 'url'>): PageTerms {
  const head = spokenPart(text);
  if (head === '') return NO_PAGE_TERMS;
  const meta = new Map<string, string>();
  const links: LicenseLink[] = [];
  const visit = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      if (child.name === 'meta') takeMeta(child, meta);
      else if (child.name === 'link') links.push(...licenseOf(child, url));
      visit(child);
    }
  };
  visit(parseHtml(head));
  const scripts = rslScripts(text, url);
  const tdm = tdmReservation(meta.get('tdm-reservation'), meta.get('tdm-policy'));
  return {
    robotsWords: ROBOTS.map((name) => meta.get(name) ?? '')
      .join(' ')
      .toLowerCase()
      .split(/[\s,;]+/),
    licenses: filesIn([...links, ...scripts.files], true),
    inlineRsl: scripts.texts,
    otherLicenses: filesIn(links, false),
    ...(tdm !== undefined && { tdm }),
  };
}

/** Only the head, unless a later element also matters; empty if it contains none of the words. */
function spokenPart(text: string): string {
  const bodyAt = text.search(/<body\b/i);
  if (bodyAt === -1) return SAYS_SOMETHING.test(text) ? text : '';
  if (SPEAKS_LATE.test(text.slice(bodyAt))) return text;
  const head = text.slice(0, bodyAt);
  return SAYS_SOMETHING.test(head) ? head : '';
}

/** The tree has no scripts. `<script type="application/rsl+xml">`, with a licence in it or the address of one. */
function rslScripts(text: string, url: URL): RslScripts {
  const files: LicenseLink[] = [];
  const texts: string[] = [];
  for (const { attributes, body } of text.includes('rsl+xml') ? scriptsIn(text) : []) {
    if (!/\btype\s*=\s*["']?application\/rsl\+xml\b/i.test(attributes)) continue;
    const [, source = ''] = /\bsrc\s*=\s*["']?([^"'\s>]+)/i.exec(attributes) ?? [];
    if (source === '') texts.push(body);
    else if (canParseUrl(source, url.href)) files.push({ url: new URL(source, url).href, isRsl: true });
  }
  return { files, texts: texts.slice(0, MAX_LICENSES) };
}

interface RslScripts {
  readonly files: readonly LicenseLink[];
  readonly texts: readonly string[];
}

/** Each position is examined once: an element without an end is not a script. */
function* scriptsIn(text: string): Generator<{ readonly attributes: string; readonly body: string }, void> {
  const [start, end] = [/<script\b([^<>]{0,1000})>/gi, /<\/script\b/gi];
  for (let open = start.exec(text); open !== null; open = start.exec(text)) {
    end.lastIndex = start.lastIndex;
    const close = end.exec(text);
    if (close === null) return;
    yield { attributes: open[1] ?? '', body: text.slice(start.lastIndex, close.index) };
    start.lastIndex = end.lastIndex;
  }
}

interface LicenseLink {
  readonly url: string;
  readonly isRsl: boolean;
}

function filesIn(links: readonly LicenseLink[], isRsl: boolean): readonly string[] {
  const files = links.filter((link) => link.isRsl === isRsl).map(({ url }) => url);
  return [...new Set(files)].slice(0, MAX_LICENSES);
}

/** `<https://…>; rel="license"; type="application/rsl+xml"`, one or more with commas between them. */
export function linkedLicenses(
  link: string,
  url: URL,
): { readonly rsl: readonly string[]; readonly others: readonly string[] } {
  const found: LicenseLink[] = [];
  for (const [, target = '', parameters = ''] of link.matchAll(/<([^>]*)>([^<]*)/g)) {
    const isLicense = /;\s*rel\s*=\s*"?(?:[^";]*\s)?license(?:\s[^";]*)?"?/i.test(parameters);
    if (!isLicense || !canParseUrl(target, url.href)) continue;
    found.push({ url: new URL(target, url).href, isRsl: parameters.toLowerCase().includes(RSL_TYPE) });
  }
  return { rsl: filesIn(found, true), others: filesIn(found, false) };
}

/** Several robots elements count together; of others, only the first. */
function takeMeta(element: HtmlElement, meta: Map<string, string>): void {
  const name = attribute(element, 'name')?.trim().toLowerCase();
  const content = attribute(element, 'content');
  if (name === undefined || content === undefined) return;
  const before = meta.get(name);
  if (before === undefined) meta.set(name, content);
  else if (ROBOTS.includes(name)) meta.set(name, `${before} ${content}`);
}

function licenseOf(link: HtmlElement, url: URL): readonly LicenseLink[] {
  const [rel = '', type = '', href = ''] = ['rel', 'type', 'href'].map((name) => attribute(link, name) ?? '');
  if (!rel.toLowerCase().split(/\s+/).includes('license') || !canParseUrl(href, url.href)) return [];
  return [{ url: new URL(href, url).href, isRsl: type.trim().toLowerCase() === RSL_TYPE }];
}
