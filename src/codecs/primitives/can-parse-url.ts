/**
 * Whether `new URL` takes this text.
 *
 * In Node 20 `URL.canParse` says no, once it runs hot, to every URL whose text has a letter like `ü` and none beyond Latin-1: its fast
 * path reads Latin-1 as UTF-8.
 */
export function canParseUrl(url: string | URL, base?: string | URL): boolean {
  try {
    new URL(url, base);
    return true;
  } catch {
    return false;
  }
}
