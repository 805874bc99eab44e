import { hash } from 'node:crypto';
import { answerArtifact, type ServedArtifact } from '../http/answer-artifact.ts';
import { problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';

/** A style or a script of the dashboard, under a name that changes with what is in it. */
export interface Asset {
  /** Below the hub. */
  readonly path: string;
  readonly route: Route;
}

export interface AssetBytes {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
}

const OLD = 'This file is another one now. Load the page again.';
const FOREVER = 'public, max-age=31536000, immutable';

export function assetOf(file: string, { mediaType, bytes, gzip }: AssetBytes): Asset {
  let packed: Uint8Array | undefined;
  const digest = hash('sha256', bytes, 'hex').slice(0, 16);
  const path = `assets/${digest}/${file}`;
  const artifact: ServedArtifact = {
    etag: `"${digest}"`,
    bytes,
    gzip: () => {
      packed ??= gzip(bytes);
      return packed;
    },
    mediaType,
    cacheControl: FOREVER,
  };
  return {
    path,
    route: {
      method: 'GET',
      path: `/assets/:digest/${file}`,
      access: 'open',
      summary: `Asset of the pages: ${file}.`,
      parameters: [
        {
          name: 'digest',
          in: 'path',
          required: true,
          description: 'The digest of the content.',
          schema: { type: 'string' },
        },
      ],
      responses: { 200: 'The file.', 304: 'Not modified.', 404: 'The asset has changed. Reload the page.' },
      answer: { mediaType },
      handle: (request) =>
        request.params.digest === digest ? answerArtifact(request, artifact) : problem({ status: 404, detail: OLD }),
    },
  };
}
