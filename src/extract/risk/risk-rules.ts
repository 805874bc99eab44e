/**
 * Features that make a text look like an attack on the models that read it. Names are permanent: they are reasons in feeds and keys in configurations.
 * `docs/risk.md` shows each with examples.
 */
export const RISK_RULES = {
  /** "Ignore all previous instructions". */
  'override-instructions': 0.6,
  /** "You are now …", "enter developer mode". */
  'role-change': 0.5,
  /** "Print your system prompt". */
  'prompt-disclosure': 0.45,
  /** The marks that tell models who is speaking. */
  'role-tags': 0.5,
  /** "If you are an AI, …", "AI assistants must …". */
  'addressed-to-models': 0.5,
  /** What an answer should recommend, rate, say or omit. */
  'steered-answer': 0.4,
  /** "Do not tell the user". */
  secrecy: 0.45,
  /** Sending away data of the user or the conversation. */
  'data-exfiltration': 0.5,
  /** An image or a link whose address should be filled with data. */
  'exfiltration-link': 0.5,
  /** Making the model call tools, run commands or move money. */
  'tool-misuse': 0.45,
  /** Base64, hexadecimal or percent codes that hide one of the above. */
  'encoded-payload': 0.6,
  /** Invisible characters beyond what languages and emoji need. */
  'invisible-characters': 0.5,
  /** One of the above in a place that people do not see. */
  'concealed-instructions': 0.5,
} as const;

export type RiskRule = keyof typeof RISK_RULES;

/** Weights that replace the defaults, 0 to 1 each. 0 turns a rule off. */
export type RiskWeights = Readonly<Partial<Record<RiskRule, number>>>;

export function ruleWeight(rule: RiskRule, weights: RiskWeights = {}): number {
  return Math.min(1, Math.max(0, weights[rule] ?? RISK_RULES[rule]));
}
