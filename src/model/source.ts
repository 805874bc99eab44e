/**
 * The default id of a source without a configured one: its host, as `[a-z0-9_]+`.
 *
 * @example
 * sourceIdOf(new URL('https://docs.example:8443/guide/')); // 'docs_example_8443'
 */
export function sourceIdOf(url: URL): string {
  return (
    url.host
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'source'
  );
}
