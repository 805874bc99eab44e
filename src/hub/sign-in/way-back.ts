const MOST_CHARACTERS = 2000;
/** Stands for the hub while an address is read. */
const HUB = 'http://hub.invalid/hub/';

/**
 * The next page after a sign-in: relative to the hub, without a leading slash. Anything that leads elsewhere becomes the first page.
 *
 * @example
 * wayBack('sources/docs?page=2'); // 'sources/docs?page=2'
 * wayBack('//evil.example/'); // ''
 */
export function wayBack(to: string | null | undefined): string {
  if (to === null || to === undefined || to.length > MOST_CHARACTERS || !/^[\x21\x23-\x5b\x5d-\x7e]*$/.test(to))
    return '';
  if (/^[a-z][a-z0-9+.-]*:/i.test(to) || to.startsWith('/')) return '';
  try {
    const { href } = new URL(to, HUB);
    const way = href.startsWith(HUB) ? href.slice(HUB.length) : '';
    return way.startsWith('/') || way.startsWith('sign-') ? '' : way;
  } catch {
    return '';
  }
}
