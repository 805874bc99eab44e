import type { SourceConfig } from '../config/source-config.ts';
import { createIdMaker, dialectOfUrl, kindOfUrl, looksLikeSitemap } from '../source-lists/source-guess.ts';

export interface ProposalParts {
  /** Every source that is watched. */
  readonly ids: Iterable<string>;
  /** Throws a {@link SettingRefusedError} that names the key. */
  decode(value: unknown, at: string): SourceConfig;
}

const MAX_TITLE = 200;
/** No part of a name for people. */
const ODD = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** How an address would be watched, under an id that is free: a site by the best way that it offers. */
export function proposedSource(url: URL, { ids, decode }: ProposalParts): SourceConfig {
  const id = createIdMaker(ids)(url);
  return decode({ id, ...placeOf(url) }, '');
}

function placeOf(url: URL): object {
  const kind = kindOfUrl(url);
  if (kind === 'site' && looksLikeSitemap(url)) return { kind, url: new URL('/', url).href, sitemap: url.href };
  if (kind === 'site') return { kind: 'auto', url: url.href };
  if (kind === 'page') return { kind, urls: [url.href] };
  const dialect = dialectOfUrl(url);
  return { kind, url: url.href, ...(dialect !== undefined && { dialect }) };
}

/** The title of a page as the name of its source; undefined where nothing is left of it. */
export function titleOfSource(title: string | undefined): string | undefined {
  const plain = (title ?? '')
    .slice(0, MAX_TITLE * 4)
    .replace(ODD, ' ')
    .trim();
  const cut = Array.from(plain)
    .slice(0, MAX_TITLE / 2)
    .join('')
    .trim();
  return cut === '' ? undefined : cut;
}
