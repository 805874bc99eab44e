/**
 * The URIs of pages and sections as resources. They are read through this server, so they have a separate scheme.
 *
 *     tidings://page/https%3A%2F%2Fdocs.example%2Flimits
 *     tidings://section/https%3A%2F%2Fdocs.example%2Flimits/tiers
 *
 * URL and anchor are percent-encoded as RFC 6570 expands `{url}` and `{anchor}`, so that nothing in them is lost.
 */
export interface PagePlace {
  readonly url: string;
  /** Absent: the whole page. `''`: the text before the first heading. */
  readonly anchor?: string;
}

export const PAGE_TEMPLATE = 'tidings://page/{url}';
export const SECTION_TEMPLATE = 'tidings://section/{url}/{anchor}';

const PAGE = /^tidings:\/\/page\/([^/?#]+)$/;
const SECTION = /^tidings:\/\/section\/([^/?#]+)\/([^/?#]*)$/;
const MAX_URI = 8192;

export function resourceUri({ url, anchor }: PagePlace): string {
  const page = encoded(url);
  return anchor === undefined ? `tidings://page/${page}` : `tidings://section/${page}/${encoded(anchor)}`;
}

/** Undefined for a text that is not such a URI. */
export function placeOfUri(uri: string): PagePlace | undefined {
  if (uri.length > MAX_URI) return undefined;
  const [, page, anchor] = PAGE.exec(uri) ?? SECTION.exec(uri) ?? [];
  const url = decoded(page);
  if (url === undefined || !/^https?:/i.test(url)) return undefined;
  if (anchor === undefined) return { url };
  const name = decoded(anchor);
  return name === undefined ? undefined : { url, anchor: name };
}

/** RFC 6570 §3.2.1: everything but unreserved characters. Half of a surrogate pair becomes U+FFFD. */
function encoded(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd');
  return encodeURIComponent(whole).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
