/**
 * NDJSON: one JSON text per line, each line ends with LF.
 *
 *     {"id":"1"}
 *     {"id":"2"}
 *
 * CRLF and a BOM at the start of the file are tolerated; a line over the limit is reported, never held in memory.
 *
 * Spec: https://github.com/ndjson/ndjson-spec
 */

import { hash } from 'node:crypto';

interface LinePlace {
  /** The offset of the line in the file. */
  readonly start: number;
  /** Counts from 1 where reading began. */
  readonly number: number;
  /** False for the last line of the input if no LF follows it. */
  readonly terminated: boolean;
}

export type NdjsonLine =
  | (LinePlace & { readonly kind: 'line'; readonly bytes: Uint8Array })
  | (LinePlace & { readonly kind: 'too-long'; readonly length: number });

export interface LineSplitterOptions {
  readonly maxLineBytes: number;
  /** The offset of the input in the file. Default 0. */
  readonly start?: number;
  /** The number of the first line. Default 1. */
  readonly number?: number;
}

export interface LineSplitter {
  /** Returns the lines that this piece completes. Their bytes may share its memory. */
  push(piece: Uint8Array): NdjsonLine[];
  /** The unterminated rest, if there is one. */
  end(): NdjsonLine | undefined;
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];

/** Splits a stream of bytes into lines, holding at most one line. */
export function createLineSplitter({ maxLineBytes, start = 0, number = 1 }: LineSplitterOptions): LineSplitter {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let lineStart = start;
  let lineNumber = number;

  const keep = (part: Uint8Array) => {
    heldBytes += part.length;
    if (heldBytes > maxLineBytes) held = [];
    else if (part.length > 0) held.push(part);
  };
  const finish = (part: Uint8Array, terminated: boolean): NdjsonLine => {
    const length = heldBytes + part.length;
    const place = { start: lineStart, number: lineNumber, terminated };
    const line: NdjsonLine =
      length > maxLineBytes
        ? { kind: 'too-long', length, ...place }
        : { kind: 'line', bytes: trimmed(joined(held, part), lineStart), ...place };
    held = [];
    heldBytes = 0;
    lineStart += length + (terminated ? 1 : 0);
    lineNumber += 1;
    return line;
  };

  return {
    push(piece) {
      const lines: NdjsonLine[] = [];
      let from = 0;
      for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, from)) {
        lines.push(finish(piece.subarray(from, at), true));
        from = at + 1;
      }
      keep(piece.subarray(from));
      return lines;
    },
    end() {
      return heldBytes === 0 ? undefined : finish(new Uint8Array(0), false);
    },
  };
}

/** The text of a line, or undefined if it is not UTF-8. */
export function decodeLine(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Used to recognise a line that was seen before. */
export function lineHash(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function joined(held: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  if (held.length === 0) return last;
  const parts = [...held, last];
  const line = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    line.set(part, offset);
    offset += part.length;
  }
  return line;
}

function trimmed(line: Uint8Array, start: number): Uint8Array {
  const from = start === 0 && BOM.every((byte, index) => line[index] === byte) ? BOM.length : 0;
  const to = line.at(-1) === CR ? line.length - 1 : line.length;
  return line.subarray(from, Math.max(from, to));
}
