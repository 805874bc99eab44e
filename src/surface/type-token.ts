export type TypeToken = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

const NULLABLE = 'nullable<';

/** Whether a value of the observed type satisfies the promised token. An unknown token is always satisfied. */
export function fits(observed: TypeToken, promised: string): boolean {
  const { plain, isNullable } = unwrap(promised);
  return observed === plain || (isNullable && observed === 'null') || !isPlainToken(plain);
}

/** agent-feed §26: one of the six tokens, or any nesting of `nullable<T>` around one. */
export function isTypeToken(text: string): boolean {
  return isPlainToken(unwrap(text).plain);
}

export function isPlainToken(text: string): text is TypeToken {
  return /^(?:string|number|boolean|null|object|array)$/.test(text);
}

/** Removes all `nullable<…>` at once: a token may be as long as a feed. */
export function unwrap(text: string): { readonly plain: string; readonly isNullable: boolean } {
  let depth = 0;
  while (text.startsWith(NULLABLE, depth * NULLABLE.length)) depth += 1;
  if (!text.endsWith('>'.repeat(depth))) return { plain: text, isNullable: false };
  return { plain: text.slice(depth * NULLABLE.length, text.length - depth), isNullable: depth > 0 };
}
