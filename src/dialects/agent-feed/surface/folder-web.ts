import type { HttpClient, HttpResponse } from '../../../fetch/http-client.ts';
import type { Folder } from '../../../model/folder.ts';

/** An HTTP client that serves the files of a folder as one origin. All other origins answer 404. */
export function folderWeb(origin: URL, folder: Pick<Folder, 'read'>): HttpClient {
  return {
    async get({ url }): Promise<HttpResponse> {
      const bytes = url.origin === origin.origin ? await folder.read(url.pathname.slice(1)) : undefined;
      return {
        url,
        status: bytes === undefined ? 404 : 200,
        headers: bytes === undefined ? {} : { 'content-type': mediaTypeOf(url.pathname) },
        body: piecesOf(bytes),
        async discard() {},
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

function mediaTypeOf(path: string): string {
  return path.endsWith('.xml') ? 'application/atom+xml' : 'application/json';
}

async function* piecesOf(bytes: Uint8Array | undefined): AsyncGenerator<Uint8Array, void> {
  if (bytes !== undefined) yield bytes;
}
