import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { FLAGS, type SafetyWords } from './safety-words.ts';
import type { SiteComparison, SiteSource } from './site-source.ts';

/** Beyond both this share and this number of pages, it is not an edit. */
export const BREAKER_SHARE = 0.3;
export const BREAKER_PAGES = 10;

/** The deletion breaker: a broken build must not erase what every follower holds. */
export function stopIfTooMuchVanishes(
  { pages, vanished, failures }: SiteComparison,
  before: number,
  { name, advice, words = FLAGS }: Pick<SiteSource, 'name' | 'advice'> & { readonly words?: SafetyWords },
): void {
  if (pages.size === 0 && (before > 0 || failures.length === 0)) {
    throw new SafetyStopError(
      `${name} holds no HTML page${before > 0 ? `, so all ${before} pages would be deleted` : ''}. Nothing was written. ` +
        `${advice}; if it is really empty now, say ${words.allowDeletes}.`,
      vanished,
    );
  }
  stopIfManyVanish(vanished, before, { advice: `${advice}, and ${words.site}`, words });
}

export function stopIfManyVanish(
  vanished: readonly string[],
  before: number,
  { advice, words }: { readonly advice: string; readonly words: SafetyWords },
): void {
  if (vanished.length <= BREAKER_PAGES || vanished.length <= before * BREAKER_SHARE) return;
  throw new SafetyStopError(
    `${vanished.length} of ${before} pages would be deleted, ${vanished[0]} among them. Nothing was written. ` +
      `${advice}; if they are really gone, say ${words.allowDeletes}.`,
    vanished,
  );
}
