import { fingerprintOf } from '../extract/fingerprint.ts';
import { sourceIdOf } from '../model/source.ts';
import { publicPageUrl } from './public-page-url.ts';

/** A source in the form of the settings. */
export interface NamedSite {
  readonly id: string;
  readonly kind: 'auto';
  readonly url: string;
}

const MAX_ID = 50;
const MARK = 8;

/** Sources for sites that are given by address only. The id depends on the address and, for a bare host, on whether it is named once. */
export function siteSources(urls: readonly string[]): readonly NamedSite[] {
  const addresses = [...new Set(urls.map((url) => publicPageUrl(url).href))];
  const hosts = addresses.map((address) => new URL(address).host);
  return addresses.map((address) => {
    const url = new URL(address);
    const isAlone = url.pathname === '/' && url.search === '' && hosts.filter((host) => host === url.host).length === 1;
    const name = sourceIdOf(url).slice(0, MAX_ID);
    return { id: isAlone ? name : `${name}_${markOf(address)}`, kind: 'auto', url: address };
  });
}

function markOf(address: string): string {
  return fingerprintOf(address)
    .replace(/^sha256:/, '')
    .slice(0, MARK);
}
