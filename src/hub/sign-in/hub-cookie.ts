import { hash } from 'node:crypto';

export interface CookiePlace {
  /** Which hub it is. Hubs on other ports of the same host get each other's cookies. */
  readonly hubId: string;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
}

const HUB_CHARACTERS = 8;

/**
 * A cookie of this hub, out of reach of scripts, for its own pages only.
 *
 * `SameSite=Lax`: a person who follows a link from a mail, or returns from the provider of a team, is signed in when the page opens. Forms do not rely on it;
 * see `own-form.ts`.
 */
export class HubCookie {
  readonly #kind: string;
  readonly #place: CookiePlace;

  constructor(kind: string, place: CookiePlace) {
    this.#kind = kind;
    this.#place = place;
  }

  /** The prefixes make browsers refuse one that another host of the domain, or plain http, has set (RFC 6265bis §4.1.3). */
  get name(): string {
    const { isSecure, path } = this.#scope();
    const prefix = isSecure ? (path === '/' ? '__Host-' : '__Secure-') : '';
    return `${prefix}tidings_${this.#kind}_${hash('sha256', this.#place.hubId, 'hex').slice(0, HUB_CHARACTERS)}`;
  }

  /** The values in a request, each once. There are several if one was set for another path or host. */
  valuesIn(header: string | undefined): readonly string[] {
    if (header === undefined) return [];
    const begin = `${this.name}=`;
    const pairs = header.split(';').map((pair) => pair.trim());
    return [...new Set(pairs.filter((pair) => pair.startsWith(begin)).map((pair) => pair.slice(begin.length)))];
  }

  /** A value for `Set-Cookie`. Without `seconds` it goes with the browser. */
  set(value: string, seconds?: number): string {
    const { isSecure, path } = this.#scope();
    const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
    return `${this.name}=${value}; Path=${path}${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  clear(): string {
    return this.set('', 0);
  }

  #scope(): { readonly isSecure: boolean; readonly path: string } {
    const { protocol, pathname } = new URL(this.#place.baseUrl());
    // A browser never sends an unescaped character that would end the attribute; `/` covers all paths.
    return { isSecure: protocol === 'https:', path: pathname.includes(';') ? '/' : pathname };
  }
}
