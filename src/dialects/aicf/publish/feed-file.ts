/** One file of a feed that may be rotated, and which changes of the log it contains. */
export interface FeedFile {
  readonly path: string;
  /** The `seq` of its first line, including the overlap. */
  readonly first: number;
  /** The `seq` of its last line; absent while the file still grows. */
  readonly last?: number;
}

export interface RotationOptions {
  /** Start a new file when a line would make the current one larger than this. Absent: never. */
  readonly rotateBytes?: number;
  /** The path of the first, second … file of the feed. */
  readonly pathOf: (number: number) => string;
}

/** Lines repeated at the head of a new file, so that a client that is a little behind finds its place. */
const OVERLAP_LINES = 16;

/**
 * Which changes are in which file. Closed files never change, and published lines of the open file stay in it.
 *
 * `lines` is the whole log in the feed's dialect, starting with `seq` 1; the first `published` lines are already in `files`.
 */
export function rotateFeed(
  files: readonly FeedFile[],
  lines: readonly string[],
  published: number,
  { rotateBytes, pathOf }: RotationOptions,
): FeedFile[] {
  const closed = files.slice(0, -1);
  let open: FeedFile = files.at(-1) ?? { path: pathOf(1), first: 1 };
  if (rotateBytes === undefined) return [...closed, open];

  const sizeOfAll = (from: number, to: number) => Buffer.byteLength(lines.slice(from, to).join(''));
  let bytes = sizeOfAll(open.first - 1, published);
  for (let seq = published + 1; seq <= lines.length; seq += 1) {
    const size = Buffer.byteLength(lines[seq - 1] ?? '');
    const holdsOwnLines = seq > (closed.at(-1)?.last ?? 0) + 1;
    if (holdsOwnLines && bytes + size > rotateBytes) {
      closed.push({ ...open, last: seq - 1 });
      open = { path: pathOf(closed.length + 1), first: overlapStart(lines, seq, rotateBytes / 2) };
      bytes = sizeOfAll(open.first - 1, seq - 1);
    }
    bytes += size;
  }
  return [...closed, open];
}

/** The `seq` from which lines before `next` are repeated: at least one line, else as many as fit into `maxBytes`. */
function overlapStart(lines: readonly string[], next: number, maxBytes: number): number {
  let first = next - 1;
  let bytes = Buffer.byteLength(lines[first - 1] ?? '');
  while (first > 1 && next - first < OVERLAP_LINES) {
    bytes += Buffer.byteLength(lines[first - 2] ?? '');
    if (bytes > maxBytes) break;
    first -= 1;
  }
  return first;
}

/** The text of one file. */
export function feedText(file: FeedFile, lines: readonly string[]): string {
  return lines.slice(file.first - 1, file.last).join('');
}
