/** GitHub's limit of characters. */
const MAX_COMMENT = 65_536;
/** Invisible to readers. The comment is found again by it. */
export const MARKER = '<!-- tidings-action: what changed -->';

/** @param {string} markdown */
export function commentText(markdown) {
  const text = `${MARKER}\n${markdown}`;
  return text.length <= MAX_COMMENT ? text : `${text.slice(0, MAX_COMMENT - 20).toWellFormed()}\n\n… (cut)`;
}
