import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import type { LivePage } from '../crawl/live-page.ts';
import type { OfferFacts } from '../dialects/reader.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { readBodyText } from '../fetch/read-text.ts';
import { mediaType } from '../fetch/response-headers.ts';
import { type OfferPorts, offerOf, type SiteOffer } from './site-offers.ts';

const MAX_WAIT_MS = 15_000;
const MAX_TWIN_BYTES = 2 * 1024 * 1024;
const BY_ACCEPT = 'text/markdown, text/html;q=0.5';
const MARKDOWN = ['text/markdown', 'text/x-markdown'];

/**
 * Looks for pages as Markdown: on request by `Accept`, at a URL that the page names, or at one of the usual places beside it. `other` is a second
 * page of the site, since a start page often has no twin.
 */
export async function markdownOffer(
  page: LivePage,
  other: string | undefined,
  ports: OfferPorts,
): Promise<SiteOffer | undefined> {
  const facts = async (): Promise<OfferFacts | undefined> => {
    if (await isMarkdown(page.url, ports)) {
      return { url: page.url.href, words: 'Markdown for those who ask for it by Accept' };
    }
    const named = namedTwin(page);
    if (named !== undefined) return { url: named, words: 'pages name their Markdown twins' };
    const places = [page.url, ...(other === undefined ? [] : [new URL(other)])].flatMap(twinsOf);
    for (const twin of new Set(places)) {
      if (await isTwin(new URL(twin), ports)) return { url: twin, words: 'pages have Markdown twins beside them' };
    }
    return undefined;
  };
  return await offerOf({ dialect: 'markdown', url: page.url.href }, facts, ports.signal);
}

/** The possible URLs of a page's twin: its URL with `.md` appended, and the variants for clean URLs. */
function twinsOf(url: URL): readonly string[] {
  const { pathname } = url;
  const at = (path: string) => new URL(path, url).href;
  if (pathname.endsWith('/')) return [at(`${pathname}index.html.md`), at(`${pathname}index.md`)];
  const bare = pathname.replace(/\.html?$/i, '');
  return bare === pathname
    ? [at(`${pathname}.md`), at(`${pathname}.html.md`)]
    : [at(`${pathname}.md`), at(`${bare}.md`)];
}

async function isMarkdown(url: URL, { client, signal }: OfferPorts): Promise<boolean> {
  const response = await client.get({ url, headers: { accept: BY_ACCEPT }, signal, maxWaitMs: MAX_WAIT_MS });
  await response.discard();
  return response.status === 200 && MARKDOWN.includes(mediaType(response.headers) ?? '');
}

/** A host that sends its start page for missing files sends HTML; plain text counts if it does not look like HTML. */
async function isTwin(url: URL, { client, signal }: OfferPorts): Promise<boolean> {
  try {
    const response = await client.get({ url, signal, maxWaitMs: MAX_WAIT_MS, maxBodyBytes: MAX_TWIN_BYTES });
    const type = mediaType(response.headers) ?? '';
    if (response.status === 200 && type === 'text/plain') {
      return !/^\s*</.test(await readBodyText(response, { maxBytes: MAX_TWIN_BYTES }));
    }
    await response.discard();
    return response.status === 200 && MARKDOWN.includes(type);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TidingsError) return false;
    throw error;
  }
}

/** Named by `<link rel="alternate" type="text/markdown">` or the equivalent header. */
function namedTwin({ text, url, headers }: LivePage): string | undefined {
  const links = text.match(/<link\b[^<>]{0,1000}>/gi) ?? [];
  const inPage = links.find((link) => /\btype\s*=\s*["']?text\/markdown\b/i.test(link));
  const [, ofPage] = /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(inPage ?? '') ?? [];
  const [, ofHeader] = /<([^>]*)>[^,<]*type="?text\/markdown/i.exec(headers.link ?? '') ?? [];
  const target = ofPage ?? ofHeader;
  return target !== undefined && canParseUrl(target, url.href) ? new URL(target, url).href : undefined;
}
