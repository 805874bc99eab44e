import { excerptOf } from '../extract/excerpt.ts';
import type { RiskWeights } from '../extract/risk/risk-rules.ts';
import type { ChangeDraft } from '../model/change.ts';
import { boundaryKey, HintCollector, type HintOptions } from './collect-hints.ts';
import type { PageReading, SiteChange } from './site-source.ts';

export type ChangeDetails = Pick<ChangeDraft, 'heading' | 'excerpt' | 'hints' | 'risk' | 'riskReasons'>;

const MAX_HEADING = 200;

export interface DetailOptions {
  readonly hints: HintOptions;
  /** Custom weights for the risk score. */
  readonly risk?: RiskWeights | undefined;
}

type CollectedPage = Pick<PageReading, 'page' | 'html' | 'changes' | 'finer'>;

/** Computes what a draft says in addition to the change while its page is in memory, and keeps it for the log. */
export class DetailCollector {
  readonly #hints: HintCollector;
  readonly #weights: RiskWeights;
  readonly #details = new Map<string, ChangeDetails>();

  constructor({ hints, risk = {} }: DetailOptions) {
    this.#hints = new HintCollector(hints);
    this.#weights = risk;
  }

  /** A page is scored once, and only if it changed. */
  readonly onPage = async ({ page, html, changes: found, finer = [] }: CollectedPage): Promise<void> => {
    const changes = [...found, ...finer];
    this.#hints.onPage({ page, changes });
    if (changes.every(({ action, anchor }) => action === 'delete' && anchor === undefined)) return;
    // Loaded on demand: the rules are a third of all code that a publish may load, and most publishes change nothing.
    const { scorePage } = await import('../extract/risk/score-page.ts');
    const { score, reasons } = scorePage({ title: page.title, html }, this.#weights);
    const risk = score > 0 ? { risk: score, riskReasons: reasons } : {};
    const sections = new Map(page.sections.map((section) => [section.anchor, section]));
    for (const change of changes) {
      const section = change.anchor === undefined ? undefined : sections.get(change.anchor);
      const excerpt = change.action === 'delete' ? undefined : excerptOf((section ?? page).markdown);
      const heading = section === undefined ? '' : lineOf(section.heading);
      this.#details.set(boundaryKey(change), {
        ...(heading !== '' && { heading }),
        ...(excerpt !== undefined && { excerpt }),
        ...risk,
      });
    }
  };

  of(change: SiteChange): ChangeDetails {
    const hints = this.#hints.of(change);
    return { ...this.#details.get(boundaryKey(change)), ...(hints !== undefined && { hints }) };
  }
}

/** A heading is plain text already. */
function lineOf(heading: string): string {
  const line = heading.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.slice(0, MAX_HEADING).toWellFormed();
}
