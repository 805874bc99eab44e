/**
 * What makes a text look like an attack on the models that read it. Names are permanent: they stand in feeds as reasons and in
 * configurations as keys. `docs/risk.md` shows each with examples.
 */
export const RISK_RULES = {
  /** "Ignore all previous instructions". */
  'override-instructions': 0.6,
  /** "You are now …", "enter developer mode". */
  'role-change': 0.5,
  /** "Print your system prompt". */
  'prompt-disclosure': 0.45,
  /** The marks by which models tell who speaks. */
  'role-tags': 0.5,
  /** "If you are an AI, …", "AI assistants must …". */
  'addressed-to-models': 0.5,
  /** What to recommend, to rate, to say, to leave out in an answer. */
  'steered-answer': 0.4,
  /** "Do not tell the user". */
  secrecy: 0.45,
  /** Data of the user or of the conversation to be sent away. */
  'data-exfiltration': 0.5,
  /** An image or a link whose address is to be filled with data. */
  'exfiltration-link': 0.5,
  /** Tools to be called, commands to be run, money to be moved by the model. */
  'tool-misuse': 0.45,
  /** Base64, hexadecimal or percent codes that hide one of the above. */
  'encoded-payload': 0.6,
  /** Characters that nobody sees, beyond what languages and emoji need. */
  'invisible-characters': 0.5,
  /** One of the above where people do not see it. */
  'concealed-instructions': 0.5,
} as const;

export type RiskRule = keyof typeof RISK_RULES;

/** Other weights than the usual ones, 0 to 1 each. 0 turns a rule off. */
export type RiskWeights = Readonly<Partial<Record<RiskRule, number>>>;

export function ruleWeight(rule: RiskRule, weights: RiskWeights = {}): number {
  return Math.min(1, Math.max(0, weights[rule] ?? RISK_RULES[rule]));
}
