import type { Server } from 'node:http';
import { onTestFinished } from 'vitest';
import type { HttpClient, HttpPoster, HttpRequest } from '../../src/fetch/http-client.ts';
import { readBodyText } from '../../src/fetch/read-text.ts';
import { createUndiciHttpClient, type HttpClientOptions } from '../../src/io/undici/http-client.ts';

export const AGENT = 'AIWebIndex/2.0 (+https://home.example/; tidings)';

export function openClient(options: Partial<HttpClientOptions> = {}): HttpClient & HttpPoster {
  return createUndiciHttpClient({ allowPrivate: true, userAgent: AGENT, ...options });
}

export async function textOf(origin: string, path: string, request: Partial<HttpRequest> = {}): Promise<string> {
  await using client = openClient();
  const response = await client.get({ ...request, url: new URL(path, origin) });
  return await readBodyText(response, { maxBytes: 1e8 });
}

export async function listen(server: Server, host: string): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}
