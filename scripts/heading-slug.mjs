/**
 * The anchor of a heading, as git hosts make it: lower case, spaces as hyphens, no punctuation.
 *
 * A second heading of the same name gets `-1`, which the caller adds.
 *
 * @param {string} heading Its plain text, without markup.
 */
export function headingSlug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
