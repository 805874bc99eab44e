/** GitHub takes so many characters. */
const MAX_COMMENT = 65_536;
/** Nobody sees it, and by it the comment is found again. */
export const MARKER = '<!-- tidings-action: what changed -->';

/** @param {string} markdown */
export function commentText(markdown) {
  const text = `${MARKER}\n${markdown}`;
  return text.length <= MAX_COMMENT ? text : `${text.slice(0, MAX_COMMENT - 20).toWellFormed()}\n\n… (cut)`;
}
