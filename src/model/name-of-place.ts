/** The display name of a place without a configured name. */
export function nameOfPlace({ host, pathname }: URL): string {
  return `${host}${pathname.replace(/\/$/, '')}`;
}
