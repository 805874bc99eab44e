import type { TidingsError } from '../../errors/tidings-error.ts';
import type { PushedBody } from './pushed-body.ts';

/**
 * Who may send requests: anyone, or the owner of the hub's token. `public-or-admin`: the handler decides by `isAdmin`. `admin-or-key`: requests with neither
 * the token nor a key are refused here; `asCaller` decides whether the key is valid, and for what.
 */
export type RouteAccess = 'open' | 'admin' | 'public-or-admin' | 'admin-or-key';

export interface HubRequest {
  readonly method: string;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The decoded JSON body, or its bytes if the route wants those; undefined if there is none. */
  readonly body: unknown;
  /** The client: the address of the connection, or what a trusted proxy says. */
  readonly clientIp: string;
  /** Whether the request has the right token. */
  readonly isAdmin: boolean;
  /** The name of the caller, if somebody signed in. */
  readonly by?: string | undefined;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
}

export interface HubResponse {
  readonly status: number;
  /** The error that caused the answer, if any. It is for the log and not sent. */
  readonly error?: TidingsError;
  /** Lower-case names. They never change: for a 304, and if there is `also`, they are the same object for all requests for a document. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further headers of this one answer: its length, its range, how often its reader may ask. */
  readonly also?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | PushedBody;
}

/** One line of the route table. HEAD follows from GET unless it is excluded, OPTIONS from `cors`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As Fastify writes it: `/aicf/:file`. */
  readonly path: string;
  readonly access: RouteAccess;
  /** Whether scripts of other origins may read it. */
  readonly cors?: boolean;
  /** Its requests are counted per client, and refused beyond a limit (429). */
  readonly isMetered?: true;
  /** For the OpenAPI description. */
  readonly summary: string;
  readonly parameters?: readonly RouteParameter[];
  /** JSON Schema of the JSON body. */
  readonly requestBody?: object;
  /** The body is passed on as bytes (`Uint8Array`), whatever its media type: for signed bodies. */
  readonly wantsBytes?: true;
  /** Longer bodies are refused (413). Absent: the limit of the server. */
  readonly bodyBytes?: number;
  /** Refuses a request by its headers and path alone, before its token and body are read. */
  guard?(headers: GuardedHeaders, params: HubRequest['params']): HubResponse | undefined;
  /** HEAD is refused: a GET uses something up, and its answer must not get lost. */
  readonly withoutHead?: true;
  /** Answers each GET without another route, and is not in the description. Its path is `/*`. */
  readonly isFallback?: true;
  readonly responses: Readonly<Record<number, string>>;
  /** The successful answer, for the OpenAPI description. */
  readonly answer?: RouteAnswer;
  handle(request: HubRequest): HubResponse | Promise<HubResponse>;
}

/** The headers that a guard sees. */
export interface GuardedHeaders {
  readonly origin?: string | undefined;
}

export interface RouteAnswer {
  readonly mediaType: string;
  /** JSON Schema; those of `#/components/schemas/` are in openapi-schemas.ts. */
  readonly schema?: object;
  /** Other forms, chosen by `Accept`. */
  readonly others?: readonly Omit<RouteAnswer, 'others'>[];
}

export interface RouteParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: object;
}
