import { CodedError } from '../../../errors/coded-error.ts';
import type { ShelfExport } from '../../shelf-export.ts';
import { type ServedSurface, SURFACE_TYPES, type SurfacePath, surfaceCacheControl } from './surface-routes.ts';

const PATHS = Object.keys(SURFACE_TYPES) as SurfacePath[];

/** What a hub says about its own endpoints, as written by `tidings surface`. */
export function exportSurface(files: ServedSurface, now: () => number): ShelfExport {
  return {
    rules: PATHS.map((path) => ({ path: path.slice(1), mediaType: SURFACE_TYPES[path] })),
    lasting: () => [],
    async *heads() {
      for (const path of PATHS) {
        const file = await files.read(path);
        if (file === 'missing') continue;
        if (file === 'unsettled') throw surfaceUnsettledError(path);
        yield {
          path: path.slice(1),
          kind: 'moving',
          mediaType: SURFACE_TYPES[path],
          cacheControl: surfaceCacheControl(path, file, now()),
          read: () => file.bytes,
        };
      }
    },
  };
}

function surfaceUnsettledError(path: string): CodedError {
  const message = `${path} of the surface is not whole just now, or cannot be read. Run this again in a moment.`;
  return new CodedError('SurfaceUnsettledError', 'retry-later', message, { path });
}
