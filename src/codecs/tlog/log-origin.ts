/** The path below the base URL of a site or a hub. */
export const LOG_PREFIX = '.well-known/tidings';

/**
 * The origin of the log of a site or hub with this base URL: `log.example:8443/docs/.well-known/tidings`. Lower case, A-labels, no
 * default port. It is fixed when the log begins and is never taken from a request.
 *
 * @example
 * logOrigin(new URL('https://docs.example/guide/')); // 'docs.example/guide/.well-known/tidings'
 */
export function logOrigin(base: URL): string {
  const host = base.hostname.replace(/\.$/, '') + (base.port === '' ? '' : `:${base.port}`);
  return `${host}${base.pathname.replace(/\/+$/, '')}/${LOG_PREFIX}`;
}
