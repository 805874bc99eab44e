import { canParseUrl } from '../primitives/can-parse-url.ts';

/** URL parsers drop white space and control characters and turn `\` into `/`, so these can hide what an address means. */
const DECEPTIVE = /[\s\p{Cc}\\]/u;
const SCHEME_AND_HOST = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/[^/?#]/;
/** These run or read what is on the agent's machine. */
const LOCAL_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'vbscript',
  'data',
  'file',
  'blob',
  'filesystem',
  'about',
]);

/** Why a text is neither an absolute URL nor a path that begins with a single `/` (§25). Undefined if it is one of them. */
export function endpointProblem(endpoint: string): string | undefined {
  if (DECEPTIVE.test(endpoint)) return 'holds white space, a control character or a backslash';
  if (endpoint.startsWith('/')) {
    return endpoint.startsWith('//') ? 'begins with "//", which would be another host' : undefined;
  }
  const scheme = SCHEME_AND_HOST.exec(endpoint)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'is neither an absolute URL nor a path that begins with "/"';
  if (LOCAL_SCHEMES.has(scheme)) return `has the scheme ${scheme}, which names nothing on the web`;
  if (!canParseUrl(endpoint)) return 'is no URL';
  const url = new URL(endpoint);
  if (url.hostname === '') return 'names no host';
  if (url.username !== '' || url.password !== '') return 'holds a user name or a password';
  return undefined;
}
