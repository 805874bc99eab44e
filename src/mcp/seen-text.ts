/** Invisible characters: bidirectional and zero-width marks, fillers, tags, variation selectors. Joiners and emoji selectors are judged by their place. */
const UNSEEN = /(?!\p{Join_C}|\u{fe0e}|\u{fe0f})\p{DI}|[\u{fff9}-\u{fffb}]/gu;
/** Joiners belong between letters of other scripts and into emoji, one at a place. */
const LOOSE =
  /(?<=[\p{ASCII}\p{Join_C}]|^)\p{Join_C}+|\p{Join_C}+(?=[\p{ASCII}\p{Join_C}]|$)|(?<=[A-Za-z\s\p{VS}]|^)\p{VS}+/gu;
/** Tabs and line feeds stay. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;
const LINE_BREAKS = /\r\n?|[\u{2028}\u{2029}]/gu;
const HALVES = /\p{Surrogate}/gu;

/** An untrusted text without characters that people would not see. Line breaks become line feeds. */
export function seenText(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(HALVES, '\u{fffd}')
    .replace(CONTROLS, '')
    .replace(UNSEEN, '')
    .replace(LOOSE, '');
}
