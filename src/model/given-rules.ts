/** Rules as a user writes them, which leave out parts of a site or read only those parts: paths of pages, selectors of elements. */
export interface GivenRules {
  readonly ignore?: readonly string[];
  readonly only?: readonly string[];
}

/** Undefined for a value that is not rules. Does not check whether the rules make sense. */
export function givenRulesOf(value: unknown): GivenRules | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { ignore, only } = value as Readonly<Record<string, unknown>>;
  if (!isOptionalTexts(ignore) || !isOptionalTexts(only)) return undefined;
  return { ...(ignore !== undefined && { ignore }), ...(only !== undefined && { only }) };
}

function isOptionalTexts(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}
