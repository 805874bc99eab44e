import { Agent, type Dispatcher, request as send } from 'undici';
import { BodyTooLargeError, DeadlineError, FetchAbortedError } from '../../errors/fetch-error.ts';
import { HubAnswerError } from '../../errors/hub-answer-error.ts';
import { connectionErrorOf } from './errors.ts';
import { createGuardedConnector } from './guarded-connector.ts';

export interface HubClientOptions {
  /** Where the hub answers, with a final slash. */
  readonly hub: string;
  readonly token?: string;
  /** Certificate authorities in PEM, beside the usual ones. */
  readonly ca?: string;
  readonly signal?: AbortSignal;
}

export interface HubRequestBody {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the address of the hub: `api/v1/sources`. */
  readonly path: string;
  readonly body?: unknown;
  /** For the whole exchange; 30 s unless said otherwise. */
  readonly deadlineMs?: number;
  /** Beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends this exchange alone. */
  readonly signal?: AbortSignal;
}

/** A way to a hub that runs. The address is the operator's own, so it may be a private one. */
export interface HubClient extends AsyncDisposable {
  /** The JSON of a 2xx answer, undefined if it has none. Anything else is a {@link HubAnswerError} or a FetchError. */
  ask(request: HubRequestBody): Promise<unknown>;
  /** The text of a streaming answer, piece by piece, until the signal ends it. A refusal throws as `ask` does. */
  stream(request: Required<Pick<HubRequestBody, 'path' | 'signal'>>): AsyncIterable<string>;
}

const DEFAULT_DEADLINE_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** A problem document says what it has to say in less. */
const MAX_DETAIL = 2000;

/** Follows no redirect: the token is for this hub alone. */
export function createHubClient(options: HubClientOptions): HubClient {
  const closing = new AbortController();
  const guard = { allowPrivate: true, ...(options.ca !== undefined && { ca: options.ca }) };
  const agent = new Agent({
    connect: createGuardedConnector(guard, closing.signal),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    ask: (request) => exchange(request, options, agent),
    stream: (request) => streamed(request, options, agent),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await agent.destroy();
    },
  };
}

async function exchange(request: HubRequestBody, options: HubClientOptions, agent: Agent): Promise<unknown> {
  const url = new URL(request.path, options.hub);
  const deadlineMs = request.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const deadline = AbortSignal.timeout(deadlineMs);
  const stops = [options.signal, request.signal].filter((stop) => stop !== undefined);
  const signal = stops.length === 0 ? deadline : AbortSignal.any([deadline, ...stops]);
  try {
    const answer = await send(url, {
      dispatcher: agent,
      method: request.method,
      headers: headersOf(request, options),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      signal,
    });
    const text = await readText(answer, url);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return jsonOf(text, answer, url);
    throw answerError(url, answer, text);
  } catch (error) {
    if (error instanceof HubAnswerError || error instanceof BodyTooLargeError) throw error;
    if (stops.some((stop) => stop.aborted)) throw new FetchAbortedError(url, error);
    throw deadline.aborted ? new DeadlineError(url, deadlineMs) : connectionErrorOf(url, error);
  }
}

async function* streamed(
  { path, signal }: Required<Pick<HubRequestBody, 'path' | 'signal'>>,
  options: HubClientOptions,
  agent: Agent,
): AsyncIterable<string> {
  const url = new URL(path, options.hub);
  const headers = { ...headersOf({ method: 'GET', path }, options), accept: 'text/event-stream' };
  try {
    const answer = await send(url, { dispatcher: agent, method: 'GET', headers, signal });
    if (answer.statusCode !== 200) throw answerError(url, answer, await readText(answer, url));
    const decoder = new TextDecoder();
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) yield decoder.decode(piece, { stream: true });
  } catch (error) {
    if (error instanceof HubAnswerError || error instanceof BodyTooLargeError) throw error;
    throw signal.aborted ? new FetchAbortedError(url, error) : connectionErrorOf(url, error);
  }
}

function headersOf({ body, headers }: HubRequestBody, { token }: HubClientOptions): Record<string, string> {
  return {
    accept: 'application/json, application/problem+json',
    'accept-encoding': 'identity',
    'user-agent': 'tidings',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
}

async function readText({ body }: Dispatcher.ResponseData, url: URL): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > MAX_ANSWER_BYTES) throw new BodyTooLargeError(url, `over ${MAX_ANSWER_BYTES} bytes long`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function jsonOf(text: string, { statusCode }: Dispatcher.ResponseData, url: URL): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new HubAnswerError(url.href, statusCode, { detail: 'The answer is no JSON. Is this the address of a hub?' });
  }
}

function answerError(url: URL, { statusCode, headers }: Dispatcher.ResponseData, text: string): HubAnswerError {
  if (statusCode >= 300 && statusCode < 400) {
    const detail = `It redirects to ${String(headers.location)}. Give that address, if it is your hub.`;
    return new HubAnswerError(url.href, statusCode, { detail });
  }
  return new HubAnswerError(url.href, statusCode, problemOf(text));
}

/** RFC 9457. */
function problemOf(text: string): { detail?: string; code?: string } {
  try {
    const { detail, title, code } = JSON.parse(text) as Record<string, unknown>;
    const said = [detail, title].find((words) => typeof words === 'string' && words !== '');
    return {
      ...(typeof said === 'string' && { detail: said.slice(0, MAX_DETAIL) }),
      ...(typeof code === 'string' && { code }),
    };
  } catch {
    return {};
  }
}
