import { isSuspiciousPage } from './page-survey.ts';
import { pageTexts } from './page-texts.ts';
import type { RiskWeights } from './risk-rules.ts';
import { examineRisk, type Risk, type RiskFinding, riskOf } from './score-risk.ts';

/** The source of a page, and its title as it was extracted. */
export interface RiskPage {
  readonly title: string;
  readonly html: string;
}

/** As scoreRisk does with the texts of a page. Most pages are only looked at. */
export function scorePage(page: RiskPage, weights: RiskWeights = {}): Risk {
  return riskOf(examinePage(page, weights));
}

export function examinePage({ title, html }: RiskPage, weights: RiskWeights = {}): RiskFinding[] {
  return isSuspiciousPage(html) ? examineRisk({ title, ...pageTexts(html) }, weights) : [];
}
