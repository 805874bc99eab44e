import type { HubResponse } from './route.ts';

/**
 * What went wrong, for programs and people (RFC 9457):
 *
 *     { "type": "about:blank", "title": "Not Found", "status": 404, "detail": "No source is named \"dosc\"." }
 */
export interface Problem {
  readonly status: number;
  /** Absent: the phrase of the status. */
  readonly title?: string;
  readonly detail?: string;
  /** A URI that names the kind of problem, if the status is not enough. */
  readonly type?: string;
  /** Further members for programs. */
  readonly [member: string]: unknown;
}

export const PROBLEM_TYPE = 'application/problem+json';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/**
 * A problem as an answer. Not cached unless `headers` say so.
 *
 * @example
 * return problem({ status: 404, detail: `No source is named ${JSON.stringify(id)}.` });
 */
export function problem(
  { status, title, detail, type, ...members }: Problem,
  headers: Readonly<Record<string, string>> = {},
): HubResponse {
  const document = {
    ...members,
    type: type ?? 'about:blank',
    title: title ?? TITLES[status] ?? `Status ${status}`,
    status,
    detail,
  };
  return {
    status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store', ...headers },
    body: `${JSON.stringify(document)}\n`,
  };
}
