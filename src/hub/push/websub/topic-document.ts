import { TidingsError } from '../../../errors/tidings-error.ts';
import type { HubRequest, HubResponse, Route } from '../../http/route.ts';

/** A topic as a plain GET request would get it. */
export interface TopicDocument {
  readonly etag: string;
  /** With its charset. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Undefined if it cannot be read now. */
export type ReadTopic = (path: string, signal: AbortSignal) => Promise<TopicDocument | 'too-large' | undefined>;

export interface TopicReader {
  readonly read: ReadTopic;
  /** Its length, without reading it if that is known; undefined if it cannot be read now. */
  readonly size: (path: string, signal: AbortSignal) => Promise<number | undefined>;
}

/** Reads topics through the routes that serve them, so that only served content is delivered. */
export function createTopicReader(routes: readonly Route[], maxBytes: number): TopicReader {
  const known = routes.filter(({ method }) => method === 'GET').map((route) => ({ route, pattern: patternOf(route) }));
  const ask = async (path: string, method: string, signal: AbortSignal): Promise<HubResponse | undefined> => {
    for (const { route, pattern } of known) {
      const found = pattern.exec(`/${path}`);
      if (found === null) continue;
      try {
        return await route.handle({ ...PLAIN, method, params: { ...found.groups }, signal });
      } catch (error) {
        if (!(error instanceof TidingsError)) throw error;
        return undefined;
      }
    }
    return undefined;
  };
  return {
    async size(path, signal) {
      const answer = await ask(path, 'HEAD', signal);
      return answer?.status === 200 ? Number(answer.also?.['content-length'] ?? 0) : undefined;
    },
    async read(path, signal) {
      const answer = await ask(path, 'GET', signal);
      const { etag, 'content-type': mediaType } = answer?.headers ?? {};
      if (answer?.status !== 200 || etag === undefined || mediaType === undefined) return undefined;
      const bytes = await bytesOf(answer.body, maxBytes);
      return bytes === undefined ? 'too-large' : { etag, mediaType, bytes };
    },
  };
}

const PLAIN: Omit<HubRequest, 'method' | 'params' | 'signal'> = {
  query: new URLSearchParams(),
  headers: {},
  body: undefined,
  clientIp: '',
  isAdmin: false,
};

/** Names in paths are letters. */
function patternOf({ path }: Route): RegExp {
  const steps = path.split('/').map((step) => {
    if (step.startsWith(':')) return `(?<${step.slice(1)}>[^/]+)`;
    return step === '*' ? '.*' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${steps.join('/')}$`);
}

async function bytesOf(body: HubResponse['body'], maxBytes: number): Promise<Uint8Array | undefined> {
  if (body === undefined) return new Uint8Array(0);
  const whole = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (whole instanceof Uint8Array) return whole.length > maxBytes ? undefined : whole;
  if (!(Symbol.asyncIterator in whole)) return undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of whole) {
    length += piece.length;
    if (length > maxBytes) return undefined;
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
