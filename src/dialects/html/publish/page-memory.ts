/**
 * What the newest page says of all of them, in its head: which look they have, whether they show texts, and how long those of older changes are.
 *
 *     <meta name="tidings" content="changes/1 3f2a… texts 7:18211 8:20934">
 *
 * It saves work alone: where it is lost, or says otherwise, the pages are made again from the log.
 */
export interface PageMemory {
  /** By which look they were made. */
  readonly made: string;
  readonly excerpts: boolean;
  /** Bytes by the number of the page. */
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
