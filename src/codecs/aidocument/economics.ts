import type { EconomicsInfo, PricingBasis } from './wire.ts';

/** A round price for input tokens of a mid-tier model; consumers recompute with their own price. */
const PRICING_BASIS: PricingBasis = {
  input_price_per_1k_usd: 0.003,
  model_class: 'mid-tier',
  note: 'USD 3 per million input tokens, counted in the o200k vocabulary; those of raw HTML are estimated.',
};

/** The whole group or nothing: without raw tokens there is no percentage (T-AWI-21). */
export function economicsOf(outputTokens: number, rawTokens: number): EconomicsInfo | undefined {
  if (rawTokens === 0) return undefined;
  const savings = rawTokens - outputTokens;
  return {
    output_tokens_approx: outputTokens,
    raw_html_tokens_approx: rawTokens,
    token_savings: savings,
    token_savings_percent: Math.round((savings / rawTokens) * 10_000) / 100,
    estimated_cost_usd: { our_output: costOf(outputTokens), raw_html: costOf(rawTokens), savings: costOf(savings) },
    pricing_basis: PRICING_BASIS,
  };
}

function costOf(tokens: number): number {
  return (tokens / 1000) * PRICING_BASIS.input_price_per_1k_usd;
}
