/** What people call a place that was given no name. */
export function nameOfPlace({ host, pathname }: URL): string {
  return `${host}${pathname.replace(/\/$/, '')}`;
}
