import { API_KEY_HEADER } from '../http/access.ts';
import { type BodySink, isPushed, type PushedBody } from '../http/pushed-body.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import type { KeyRing } from './key-ring.ts';
import type { UsageMeter } from './key-usage.ts';

type Meter = Pick<UsageMeter, 'answered' | 'sent' | 'refused'>;

/** Counts what one owner asks. */
export interface UsageTap {
  /** The same answer; a body of unknown length is counted while it is sent. */
  answered(request: Pick<HubRequest, 'method'>, answer: HubResponse): HubResponse;
  refused(): void;
}

export function usageTap(owner: string, meter: Meter): UsageTap {
  return {
    answered({ method }, answer) {
      const { status, body } = answer;
      if (status === 429) {
        meter.refused(owner);
        return answer;
      }
      meter.answered(owner);
      if (body === undefined || method === 'HEAD') return answer;
      const sent = (bytes: number) => meter.sent(owner, bytes);
      if (isPushed(body)) return { ...answer, body: countedPush(body, sent) };
      const bytes = lengthOf(answer);
      if (bytes === undefined) return { ...answer, body: counted(body as AsyncIterable<Uint8Array>, sent) };
      meter.sent(owner, bytes);
      return answer;
    },
    refused: () => meter.refused(owner),
  };
}

/** The same routes, with requests by key counted. They have their own limits, or none. */
export function countUsage(
  routes: readonly Route[],
  { keys, usage }: { readonly keys: Pick<KeyRing, 'find' | 'ownerOf'>; readonly usage: Meter },
): Route[] {
  return routes.map((route) => ({
    ...route,
    handle(request) {
      const key = request.isAdmin ? undefined : keys.find(request.headers[API_KEY_HEADER]);
      const answer = route.handle(request);
      if (key === undefined) return answer;
      const tap = usageTap(keys.ownerOf(key), usage);
      return answer instanceof Promise
        ? answer.then((late) => tap.answered(request, late))
        : tap.answered(request, answer);
    },
  }));
}

/** Undefined where only the sending shows it. */
function lengthOf({ body, headers, also }: HubResponse): number | undefined {
  if (body instanceof Uint8Array) return body.byteLength;
  if (typeof body === 'string') return Buffer.byteLength(body);
  const declared = also?.['content-length'] ?? headers['content-length'];
  return declared === undefined ? undefined : Number(declared);
}

type Sent = (bytes: number) => void;

async function* counted(body: AsyncIterable<Uint8Array>, sent: Sent): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    sent(piece.byteLength);
    yield piece;
  }
}

function countedPush(body: PushedBody, sent: Sent): PushedBody {
  return { begin: (sink) => body.begin(countedSink(sink, sent)) };
}

function countedSink(sink: BodySink, sent: Sent): BodySink {
  return {
    get waitingBytes() {
      return sink.waitingBytes;
    },
    write(piece) {
      sent(piece.bytes.byteLength);
      return sink.write(piece);
    },
    end: () => sink.end(),
    cut: () => sink.cut(),
  };
}
