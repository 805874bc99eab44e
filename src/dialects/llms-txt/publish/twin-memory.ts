/**
 * llms.json, beside pages.ndjson: what is known about the twins, so that an unchanged page is not parsed again.
 *
 *     {"tidings":"llms/1","extractor":"…","pages":[["https://docs.example/","…",1280,"Home","What it says first."]]}
 *
 * It only saves time: if it is lost, the pages are read again.
 */
export const TWINS_FILE = 'llms.json';
const FORMAT = 'llms/1';

/** What is listed of a page, and the twin that was made from it. */
export interface KnownTwin {
  readonly url: string;
  /** The hash of the file that the page was read from. */
  readonly file: string;
  /** The length of the twin; 0 if the page has none. */
  readonly bytes: number;
  readonly title: string;
  /** Empty if excerpts are not wanted. */
  readonly excerpt: string;
  /** The extractor that read the page, if it is remembered. */
  readonly extractor?: string;
}

export function encodeTwins(
  twins: readonly KnownTwin[],
  { extractor, lists }: { readonly extractor: string; readonly lists?: readonly string[] | undefined },
): Uint8Array {
  const pages = twins.map(({ url, file, bytes, title, excerpt }) => [url, file, bytes, title, excerpt]);
  return Buffer.from(`${JSON.stringify({ tidings: FORMAT, extractor, pages, lists })}\n`);
}

/** Empty if the file does not exist or has another format. */
export function decodeTwins(bytes: Uint8Array | undefined): ReadonlyMap<string, KnownTwin> {
  const twins = new Map<string, KnownTwin>();
  try {
    const { tidings, extractor, pages } = JSON.parse(Buffer.from(bytes ?? []).toString()) as Record<string, unknown>;
    if (tidings !== FORMAT || typeof extractor !== 'string' || !Array.isArray(pages)) return twins;
    for (const [url, file, length, title, excerpt] of pages as unknown[][]) {
      if ([url, file, title, excerpt].every((text) => typeof text === 'string') && Number.isSafeInteger(length))
        twins.set(url as string, { url, file, bytes: length, title, excerpt, extractor } as KnownTwin);
    }
  } catch {
    // Broken or missing: the pages are read again.
  }
  return twins;
}
