/**
 * What the newest page says about all pages, in its head: their look, whether they show texts, and the sizes of the pages of older changes.
 *
 *     <meta name="tidings" content="changes/1 3f2a… texts 7:18211 8:20934">
 *
 * It only saves work. If it is lost or differs, the pages are made again from the log.
 */
export interface PageMemory {
  /** The digest of the look. */
  readonly made: string;
  readonly excerpts: boolean;
  /** The size in bytes, by page number. */
  readonly sizes: ReadonlyMap<number, number>;
}

const FORMAT = 'changes/1';
const MEMORY = new RegExp(`<meta name="tidings" content="${FORMAT} ([0-9a-f]{16}) (texts|bare)((?: \\d+:\\d+)*)">`);
const HEAD_BYTES = 4096;

export function encodePageMemory({ made, excerpts, sizes }: PageMemory): string {
  return [FORMAT, made, excerpts ? 'texts' : 'bare', ...Array.from(sizes, (size) => size.join(':'))].join(' ');
}

export function decodePageMemory(page: Uint8Array | undefined): PageMemory | undefined {
  const head = Buffer.from(page ?? []).toString('latin1', 0, HEAD_BYTES);
  const [, made, texts, sizes = ''] = MEMORY.exec(head) ?? [];
  if (made === undefined) return undefined;
  const pairs = sizes
    .split(' ')
    .filter(Boolean)
    .map((pair) => pair.split(':').map(Number) as [number, number]);
  return { made, excerpts: texts === 'texts', sizes: new Map(pairs) };
}
