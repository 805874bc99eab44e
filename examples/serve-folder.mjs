import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const MEDIA_TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.ndjson': 'application/x-ndjson',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Serves a folder on a free loopback port the way a static host does: clean URLs, ETag, Range.
 * For examples and local trials only.
 */
export async function serveFolder(folder) {
  const server = createServer((request, response) => {
    answer(folder, request, response).catch((error) => response.destroy(error));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(folder, request, response) {
  const file = await findFile(folder, new URL(request.url, 'http://localhost').pathname);
  if (file === undefined) return response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');

  const etag = `"${createHash('sha256').update(file.bytes).digest('hex').slice(0, 32)}"`;
  const headers = { 'content-type': file.mediaType, 'accept-ranges': 'bytes', etag };
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, headers).end();

  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const ifRange = request.headers['if-range'];
  if (range === null || (ifRange !== undefined && ifRange !== etag)) {
    return response.writeHead(200, { ...headers, 'content-length': file.bytes.length }).end(file.bytes);
  }

  const size = file.bytes.length;
  const start = Number(range[1]);
  const end = Math.min(range[2] === '' ? size - 1 : Number(range[2]), size - 1);
  if (start > end) return response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end();
  const part = file.bytes.subarray(start, end + 1);
  const partHeaders = { ...headers, 'content-length': part.length, 'content-range': `bytes ${start}-${end}/${size}` };
  return response.writeHead(206, partHeaders).end(part);
}

async function findFile(folder, pathname) {
  const path = normalize(decodeURIComponent(pathname));
  for (const candidate of path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`]) {
    try {
      const bytes = await readFile(join(folder, candidate));
      return { bytes, mediaType: mediaTypeOf(candidate) };
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'EISDIR' && error.code !== 'ENOTDIR') throw error;
    }
  }
  return undefined;
}

function mediaTypeOf(path) {
  if (path.endsWith('/.well-known/ai-changefeed')) return 'application/json';
  return MEDIA_TYPES[extname(path)] ?? 'application/octet-stream';
}
