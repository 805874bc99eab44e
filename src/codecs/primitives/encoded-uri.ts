/** Characters that RFC 3986 requires to be escaped, but `URL` leaves unescaped. */
const NOT_IN_URIS = /%(?![\da-f]{2})|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gi;

/**
 * A URL in the spelling that feeds allow.
 *
 * @example
 * encodedUri('https://a.example/?q=a|b'); // 'https://a.example/?q=a%7Cb'
 */
export function encodedUri(url: string): string {
  return url.replace(NOT_IN_URIS, encodeURIComponent);
}
