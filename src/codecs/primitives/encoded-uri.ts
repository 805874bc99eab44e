/** What RFC 3986 does not let stand unescaped, and `URL` lets stand all the same. */
const NOT_IN_URIS = /%(?![\da-f]{2})|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gi;

/**
 * A URL as feeds may spell it.
 *
 * @example
 * encodedUri('https://a.example/?q=a|b'); // 'https://a.example/?q=a%7Cb'
 */
export function encodedUri(url: string): string {
  return url.replace(NOT_IN_URIS, encodeURIComponent);
}
