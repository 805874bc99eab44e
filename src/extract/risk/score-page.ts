import { isSuspiciousPage } from './page-survey.ts';
import { pageTexts } from './page-texts.ts';
import type { RiskWeights } from './risk-rules.ts';
import { examineRisk, type Risk, type RiskFinding, riskOf } from './score-risk.ts';

/** The source of a page, and its extracted title. */
export interface RiskPage {
  readonly title: string;
  readonly html: string;
}

/** Like scoreTextRisk, for the texts of a page. Most pages need only a quick survey. */
export function scorePage(page: RiskPage, weights: RiskWeights = {}): Risk {
  return riskOf(examinePage(page, weights));
}

export function examinePage({ title, html }: RiskPage, weights: RiskWeights = {}): RiskFinding[] {
  return isSuspiciousPage(html) ? examineRisk({ title, ...pageTexts(html) }, weights) : [];
}
