/**
 * Whether `new URL` accepts this text.
 *
 * In Node 20, `URL.canParse` returns false, once optimized, for every URL with a letter like `ü` and none beyond Latin-1, because
 * its fast path reads Latin-1 as UTF-8.
 */
export function canParseUrl(url: string | URL, base?: string | URL): boolean {
  try {
    new URL(url, base);
    return true;
  } catch {
    return false;
  }
}
