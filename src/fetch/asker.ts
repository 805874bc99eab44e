/**
 * On whose behalf a host is asked: a watched source, a reader of documents, a followed feed.
 *
 * What a host says to an asker for whom an operator named it binds everybody who asks that host. What it says to any other binds that
 * asker alone: or a stranger, by a request or a redirect, could keep others from it.
 */
export interface Asker {
  /** One of its own for each asker of a memory, without white space. */
  readonly name: string;
  /** Whether an operator named this host (with its port) for the asker. */
  isOwn(host: string): boolean;
}

/** Everybody: what is said to a request without an asker, and to the owner of a host. */
export const EVERYBODY = '';

/** Whom an answer of this host binds: the name of the asker, or {@link EVERYBODY}. */
export function boundBy(host: string, asker: Asker | undefined): string {
  return asker === undefined || asker.isOwn(host) ? EVERYBODY : asker.name;
}

/** Who asks at each hop of one request. A hop to which another host led is nobody's own, also where that is a host of the asker. */
export function createHopAskers(start: URL, asker: Asker | undefined): (hop: URL) => Asker | undefined {
  let isLed = false;
  const led: Asker = { name: asker?.name ?? `led-by:${start.host}`, isOwn: () => false };
  return (hop) => {
    isLed ||= hop.host !== start.host;
    return isLed ? led : asker;
  };
}
