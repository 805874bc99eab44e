/** How often one document is tried, over about 21 hours; then it is given up. */
export const WEBSUB_TRIES = 10;
/** The wait for a document that arrived while another one waits for its retry. */
export const NEWS_WAIT_MS = 5 * 60_000;

const FIRST_MS = 10_000;
const FACTOR = 2.9;
const JITTER = 0.2;
const LONGEST_ASKED_MS = 6 * 3600_000;

/** The wait after so many failures. `random` is from 0 up to 1; a longer wait that the subscriber asks for is kept. */
export function websubRetryMs(tries: number, random: number, askedMs = 0): number {
  const plainMs = FIRST_MS * FACTOR ** (tries - 1);
  const ownMs = plainMs * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(ownMs, Math.min(askedMs, LONGEST_ASKED_MS)));
}
