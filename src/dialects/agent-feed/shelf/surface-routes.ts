import { CARD_PATH, DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { answerArtifact } from '../../../hub/http/answer-artifact.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../../../hub/http/route.ts';

/** The files of a surface, read from where they are written. */
export interface ServedSurface {
  /** The whole file as it is now; `missing` if it does not exist, `unsettled` while only part of it is written. */
  read(path: SurfacePath): Promise<SurfaceFile | 'missing' | 'unsettled'>;
}

export interface SurfaceFile {
  readonly bytes: Uint8Array;
  /** A strong ETag, quoted. */
  readonly etag: string;
  /** Epoch milliseconds. */
  readonly modifiedMs: number;
}

export type SurfacePath = typeof DID_PATH | typeof FEED_PATH | typeof CARD_PATH;

export interface SurfaceRouteParts {
  /** Absent if this hub publishes nothing about itself. */
  readonly files?: ServedSurface | undefined;
  readonly now: () => number;
}

/** In writing order, so that the keys are there before the feed that they sign. */
export const SURFACE_TYPES: Readonly<Record<SurfacePath, string>> = {
  [DID_PATH]: 'application/json',
  [CARD_PATH]: 'application/json',
  [FEED_PATH]: 'application/atom+xml',
};

const FRESH_SECONDS = 300;
/** Readers should learn of a changed key soon (AF-SC2). */
const CHANGING_SECONDS = 60;
const CHANGING_MS = 24 * 3600_000;

const NOT_HERE = 'This hub publishes no agent-feed of its own: "surface" in its config names the folder of one.';
const NOT_WRITTEN = 'Nothing is written there yet: tidings surface announce makes it.';

/** The routes for what the hub says about its own endpoints (agent-feed), as written by `tidings surface`. */
export function surfaceRoutes(parts: SurfaceRouteParts): Route[] {
  const route = (path: SurfacePath, mediaType: string, summary: string): Route => ({
    method: 'GET',
    path,
    access: 'open',
    cors: true,
    isMetered: true,
    summary,
    responses: {
      200: 'The document.',
      304: 'Not modified.',
      404: 'There is none.',
      503: 'The document is being written or cannot be read.',
    },
    answer: { mediaType },
    handle: (request) => answer(request, { path, mediaType }, parts),
  });
  return [
    route(DID_PATH, SURFACE_TYPES[DID_PATH], 'The DID document of the signer of the agent-feed of this hub.'),
    route(FEED_PATH, SURFACE_TYPES[FEED_PATH], 'The signed agent-feed of this hub about its own endpoints.'),
    route(CARD_PATH, SURFACE_TYPES[CARD_PATH], 'The current endpoints of this hub.'),
  ];
}

async function answer(
  request: HubRequest,
  { path, mediaType }: { readonly path: SurfacePath; readonly mediaType: string },
  { files, now }: SurfaceRouteParts,
): Promise<HubResponse> {
  if (files === undefined) return problem({ status: 404, detail: NOT_HERE });
  const file = await files.read(path);
  if (file === 'missing') return problem({ status: 404, detail: NOT_WRITTEN });
  if (file === 'unsettled') {
    return problem({ status: 503, detail: 'It is not whole just now. Ask again in a moment.' }, { 'retry-after': '2' });
  }
  const { bytes, etag } = file;
  return answerArtifact(request, { etag, bytes, mediaType, cacheControl: surfaceCacheControl(path, file, now()) });
}

/** How long readers may keep a file of a surface. */
export function surfaceCacheControl(path: SurfacePath, { modifiedMs }: SurfaceFile, nowMs: number): string {
  const isChanging = path === DID_PATH && nowMs - modifiedMs < CHANGING_MS;
  return `public, max-age=${isChanging ? CHANGING_SECONDS : FRESH_SECONDS}`;
}
