import { pipeline, Readable, type Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import {
  BadResponseError,
  BodyEncodingError,
  BodyTooLargeError,
  FetchError,
  TruncatedBodyError,
} from '../../errors/fetch-error.ts';
import type { HttpHeaders } from '../../fetch/http-client.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { ExchangeTimer } from './exchange-timer.ts';

export interface BodyRules {
  readonly url: URL;
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly maxBytes: number;
  readonly timer: ExchangeTimer;
  /** What came so far is counted here. */
  readonly wire: { bytes: number };
  /** Sees what comes, as it comes. */
  readonly onWire?: ((piece: Uint8Array) => void) | undefined;
  /** Whether bytes came after the announced end. */
  readonly hasSurplus: () => boolean;
}

/** A small body may be compressed as well as it likes; beyond this, a higher ratio is an attack. */
const RATIO_FREE_BYTES = 1024 * 1024;
const MAX_RATIO = 200;

/** RFC 9110 §6.4.1 */
const BODILESS = [204, 205, 304];

type Decoder = (firstByte: number) => Transform;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  // RFC 9110 §8.4.1.2: `deflate` is the zlib format, but some send the raw one. The low nibble 8 identifies zlib.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
]);

/** The body, decoded and measured, no faster than it is taken. The source is closed when the reader stops. */
export async function* readBody(source: Readable, rules: BodyRules): AsyncGenerator<Uint8Array> {
  const { url, maxBytes, timer, wire } = rules;
  let decodedBytes = 0;
  let pieces: AsyncIterator<Uint8Array> | undefined;
  try {
    pieces = decode(measure(source, rules), rules);
    for (;;) {
      const piece = await nextPiece(pieces, rules);
      if (piece === undefined) return await assertEnded(rules);
      decodedBytes += piece.length;
      if (decodedBytes > maxBytes) throw new BodyTooLargeError(url, `over ${maxBytes} bytes when decoded`);
      if (decodedBytes > RATIO_FREE_BYTES && decodedBytes > wire.bytes * MAX_RATIO) {
        throw new BodyTooLargeError(url, `compressed over ${MAX_RATIO} times`);
      }
      yield piece;
    }
  } finally {
    timer.end();
    source.destroy();
    await pieces?.return?.();
  }
}

/**
 * undici returns a connection one turn of the event loop after its answer has ended. In the next turn, bytes that arrived after the answer are read. One
 * arrived answer is processed per turn.
 */
export async function connectionFree(): Promise<void> {
  await nextTurn();
  await othersFirst();
}

/** What follows an answer that has no body changes nothing about it. */
async function assertEnded({ url, status, hasSurplus }: BodyRules): Promise<void> {
  await connectionFree();
  if (!BODILESS.includes(status) && hasSurplus()) {
    throw new BadResponseError(url, 'more bytes came than were announced');
  }
}

async function nextPiece(
  pieces: AsyncIterator<Uint8Array>,
  { url, timer }: BodyRules,
): Promise<Uint8Array | undefined> {
  timer.resume();
  try {
    const next = await pieces.next();
    return next.done ? undefined : next.value;
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw timer.explain(url) ?? explain(url, error);
  } finally {
    timer.pause();
  }
}

async function* measure(source: Readable, { url, maxBytes, wire, onWire }: BodyRules): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    wire.bytes += piece.length;
    if (wire.bytes > maxBytes) throw new BodyTooLargeError(url, `over ${maxBytes} bytes`);
    onWire?.(piece);
    yield piece;
  }
}

async function* decode(
  wire: AsyncGenerator<Uint8Array>,
  { url, status, headers }: BodyRules,
): AsyncGenerator<Uint8Array> {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') {
    yield* wire;
    return;
  }
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) throw new BodyEncodingError(url, `"${encoding}" is not one of gzip, br, deflate`);

  const first = await wire.next();
  if (first.done) {
    // These have no body, whatever their headers say. Of any other, a compressed nothing would still have a few bytes.
    if (BODILESS.includes(status)) return;
    throw new TruncatedBodyError(url, `no byte of the ${encoding} body came`);
  }
  const output = decoder(first.value[0] ?? 0);
  pipeline(Readable.from(startingWith(first.value, wire)), output, () => {});
  yield* output;
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function explain(url: URL, error: unknown): FetchError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // zlib calls an early end of its input a buffer error.
  if (code === 'Z_BUF_ERROR') return new TruncatedBodyError(url, error);
  if (/^(?:Z_|ERR_?_?BROTLI|ERR__ERROR)/.test(code))
    return new BodyEncodingError(url, 'the compressed bytes are damaged', error);
  return new TruncatedBodyError(url, error);
}
