import type { TidingsError } from '../../errors/tidings-error.ts';
import type { PushedBody } from './pushed-body.ts';

/**
 * Who may ask: anyone, or who has the hub's token. `public-or-admin`: the handler decides by `isAdmin`. `admin-or-key`: who has
 * neither the token nor a key is refused here; whether the key counts, and what for, is decided by `asCaller`.
 */
export type RouteAccess = 'open' | 'admin' | 'public-or-admin' | 'admin-or-key';

export interface HubRequest {
  readonly method: string;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Lower-case names; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The JSON body, decoded, or its bytes where the route wants those; undefined where there is none. */
  readonly body: unknown;
  /** Who asks: the address of the connection, or what a trusted proxy says. */
  readonly clientIp: string;
  /** Whether the right token came with it. */
  readonly isAdmin: boolean;
  /** Who asks, by name, where somebody signed in. */
  readonly by?: string | undefined;
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal;
}

export interface HubResponse {
  readonly status: number;
  /** What it answers for, where that is an error. It is for the log and not sent. */
  readonly error?: TidingsError;
  /** Lower-case names. They never change: of a 304, and where there is `also`, they are the same object for all who ask for a document. */
  readonly headers: Readonly<Record<string, string>>;
  /** Beside those, what is said in this one answer: its length, which part it is, how often its reader may ask. */
  readonly also?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | PushedBody;
}

/** One line of the route table. HEAD follows from GET where it may; OPTIONS from `cors`. */
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
  /** The body is handed on as bytes (`Uint8Array`), whatever its media type: for what is signed. */
  readonly wantsBytes?: true;
  /** Longer bodies are refused (413). Absent: as long as the server reads of all routes. */
  readonly bodyBytes?: number;
  /** Says why a request is refused by its headers and its path alone, before its token and its body are looked at. */
  guard?(headers: GuardedHeaders, params: HubRequest['params']): HubResponse | undefined;
  /** HEAD is refused: a GET uses something up, and its answer must not go astray. */
  readonly withoutHead?: true;
  /** It answers each GET that leads to no other route, and stands in no description. Its path is `/*`. */
  readonly isFallback?: true;
  readonly responses: Readonly<Record<number, string>>;
  /** What a good answer is, for the OpenAPI description. */
  readonly answer?: RouteAnswer;
  handle(request: HubRequest): HubResponse | Promise<HubResponse>;
}

/** What a guard looks at. */
export interface GuardedHeaders {
  readonly origin?: string | undefined;
}

export interface RouteAnswer {
  readonly mediaType: string;
  /** JSON Schema; those of `#/components/schemas/` are in openapi-schemas.ts. */
  readonly schema?: object;
  /** Other forms of the same, for who asks for them by `Accept`. */
  readonly others?: readonly Omit<RouteAnswer, 'others'>[];
}

export interface RouteParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: object;
}
