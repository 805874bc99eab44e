import { SiteUnreadError } from './site-unread-error.ts';

/** A site that was read before now has a certificate for another name: a person has to look before anything from it counts. */
export function otherNameError({ href }: URL, cause: unknown): SiteUnreadError {
  return new SiteUnreadError(href, otherNameText(href, cause), 'stop');
}

export function otherNameText(url: string, cause: unknown): string {
  const why = cause instanceof Error ? ` ${cause.message}` : '';
  return `${url} seems to be somebody else's: its certificate is for another name.${why} Nothing was told. It is followed again as soon as it answers under its own name.`;
}
