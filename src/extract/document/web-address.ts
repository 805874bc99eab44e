/** Longer addresses are meant to fill a document, not to be followed. */
const MAX_URL_LENGTH = 4096;

/** Such an address does not depend on the base, and parsing the base each time is expensive. */
const ABSOLUTE = /^https?:\/\//i;

/** An address on the page, made absolute. Undefined unless it is http(s). */
export function webAddress(reference: string, base: string): URL | undefined {
  const trimmed = reference.trim();
  if (trimmed === '' || trimmed.length > MAX_URL_LENGTH) return undefined;
  try {
    const url = ABSOLUTE.test(trimmed) ? new URL(trimmed) : new URL(trimmed, base);
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.href.length <= MAX_URL_LENGTH
      ? url
      : undefined;
  } catch {
    return undefined;
  }
}
