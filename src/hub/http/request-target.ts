/** The target of a request line, safe to look up a route. */
export type RequestTarget =
  | { readonly is: 'path' /** With its query. */; readonly url: string }
  | { readonly is: 'malformed' }
  | { readonly is: 'too-long' };

/** Segments of plain characters, none of them empty but the last, none of them `.` or `..`. Most requests are of this form. */
const PLAIN_PATH = /^(?:\/(?!\/|\.{1,2}(?:[/?]|$))[\w.~!$&'()*+,;=:@-]*)+(?:\?|$)/;
/** RFC 9112 §3.2.2: a server must accept the absolute form. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;
const PATH_CHARACTERS = /^[\w.~!$&'()*+,;=:@/%-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const NOT_IN_A_NAME = /[\u0000-\u001f\u007f-\u009f\\]/;
const BAD_SEGMENT = /\/(?:\/|\.{1,2}(?:\/|$))/;

/**
 * Refuses every path that could be ambiguous: with dot segments, empty segments, encoded slashes, backslashes, control characters, or invalid
 * percent-encoding.
 */
export function readTarget(target: string, maxCharacters: number): RequestTarget {
  if (target.length > maxCharacters) return { is: 'too-long' };
  if (PLAIN_PATH.test(target)) return { is: 'path', url: target };

  const url = originForm(target);
  const [path = ''] = url.split('?', 1);
  if (!path.startsWith('/') || !PATH_CHARACTERS.test(path)) return { is: 'malformed' };
  const decoded = decodePath(path);
  if (decoded === undefined || NOT_IN_A_NAME.test(decoded) || BAD_SEGMENT.test(decoded)) return { is: 'malformed' };
  if (decoded.split('/').length !== path.split('/').length) return { is: 'malformed' };
  return { is: 'path', url };
}

/** RFC 3986 §3.2.2: a name, an IPv4 address, or an IP literal; then a port. A name may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d{0,5})?$/i;
const LITERAL_HOST = /^\[(?:[\da-f:.]{2,45}|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\](?::\d{0,5})?$/i;

/** Whether this is a valid `Host` header (RFC 9110 §7.2). */
export function isHost(value: string): boolean {
  return HOST.test(value) || LITERAL_HOST.test(value);
}

function originForm(target: string): string {
  const origin = ABSOLUTE_FORM.exec(target)?.[0];
  if (origin === undefined) return target;
  const rest = target.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
