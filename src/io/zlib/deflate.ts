import { deflateRawSync, inflateRaw } from 'node:zlib';
import type { Inflate } from '../../codecs/zip/wire.ts';
import { codeOf } from '../files/folder.ts';

const LEVEL = 9;

/** Raw deflate data, as ZIP has it: for the same bytes always the same, with one version of zlib. */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: LEVEL });
}

export const inflate: Inflate = (packed, maxBytes) =>
  new Promise((resolve, reject) => {
    inflateRaw(packed, { maxOutputLength: Math.max(maxBytes, 1), info: true }, (error, result: unknown) => {
      if (error !== null) {
        if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') resolve(undefined);
        else reject(error);
      } else if (!isWithEngine(result)) reject(new Error('zlib does not tell what it read.'));
      else
        resolve(
          result.buffer.length > maxBytes ? undefined : { bytes: result.buffer, used: result.engine.bytesWritten },
        );
    });
  });

/** What `info` makes of the result, which the types of Node do not say. */
function isWithEngine(result: unknown): result is { buffer: Uint8Array; engine: { bytesWritten: number } } {
  return typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result;
}
