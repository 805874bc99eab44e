/**
 * On whose behalf a host is asked: a watched source, a reader of documents, a followed feed.
 *
 * If an operator named the host for the asker, the host's answer binds everybody who asks it. Otherwise it binds only this asker: a stranger must not
 * be able to block a host for others by a request or a redirect.
 */
export interface Asker {
  /** Unique among the askers of a memory, without white space. */
  readonly name: string;
  /** Whether an operator named this host (with its port) for the asker. */
  isOwn(host: string): boolean;
}

/** Everybody: bound by answers to requests without an asker, and to the owner of a host. */
export const EVERYBODY = '';

/** Whom an answer of this host binds: the name of the asker, or {@link EVERYBODY}. */
export function boundBy(host: string, asker: Asker | undefined): string {
  return asker === undefined || asker.isOwn(host) ? EVERYBODY : asker.name;
}

/** The asker at each hop of one request. A hop that another host led to has no owner, even if it is a host of the asker. */
export function createHopAskers(start: URL, asker: Asker | undefined): (hop: URL) => Asker | undefined {
  let isLed = false;
  const led: Asker = { name: asker?.name ?? `led-by:${start.host}`, isOwn: () => false };
  return (hop) => {
    isLed ||= hop.host !== start.host;
    return isLed ? led : asker;
  };
}
