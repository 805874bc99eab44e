import { BodyEncodingError, BodyTooLargeError } from '../errors/fetch-error.ts';
import type { HttpResponse } from './http-client.ts';

export interface ReadTextOptions {
  readonly maxBytes: number;
}

/** The whole body as UTF-8, without its BOM. Refuses bytes that are not UTF-8 rather than replacing them. */
export async function readBodyText(response: HttpResponse, { maxBytes }: ReadTextOptions): Promise<string> {
  const bytes = await readBytes(response, { maxBytes });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BodyEncodingError(response.url, 'it is not UTF-8', cause);
  }
}

export async function readBytes(response: HttpResponse, { maxBytes }: ReadTextOptions): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body) {
    length += piece.length;
    if (length > maxBytes) throw new BodyTooLargeError(response.url, `over ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return joinBytes(pieces, length);
}

function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
