/** Rules as somebody writes them, which leave parts of a site out or read them alone: paths of pages, selectors of elements. */
export interface GivenRules {
  readonly ignore?: readonly string[];
  readonly only?: readonly string[];
}

/** Undefined for what is none; whether the rules in it make sense is not looked at. */
export function givenRulesOf(value: unknown): GivenRules | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { ignore, only } = value as Readonly<Record<string, unknown>>;
  if (!isOptionalTexts(ignore) || !isOptionalTexts(only)) return undefined;
  return { ...(ignore !== undefined && { ignore }), ...(only !== undefined && { only }) };
}

function isOptionalTexts(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
