/**
 * BCP 47 language tags: `en`, `en-US`, `zh-Hant-TW`, `es-419`, `de-1996`, `en-u-ca-gregory`.
 *
 * Checks the form, not the registry. Languages of four to eight letters are refused: none is registered, and words
 * such as "english" look like them.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc5646#section-2.1
 */
const TAG =
  /^[a-z]{2,3}(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?$/i;
const MAX_LENGTH = 100;
/** Tags that mean "unknown". */
const UNKNOWN = new Set(['und', 'zxx', 'mul', 'mis']);

export function isLanguageTag(text: string): boolean {
  return text.length <= MAX_LENGTH && TAG.test(text);
}

/** The tag in the usual case (`en-US`), reading `_` as `-`. Undefined if the text is not a tag or means "unknown". */
export function languageTagOf(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-').toLowerCase();
  if (!isLanguageTag(tag) || UNKNOWN.has(tag.split('-', 1)[0] ?? '')) return undefined;
  let afterSingleton = false;
  return tag
    .split('-')
    .map((part, index) => {
      if (index === 0 || afterSingleton) return part;
      afterSingleton = part.length === 1;
      if (part.length === 2) return part.toUpperCase();
      return /^[a-z]{4}$/.test(part) ? part.charAt(0).toUpperCase() + part.slice(1) : part;
    })
    .join('-');
}
