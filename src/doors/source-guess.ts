/** Guesses what an address is, and how to name sources. Imports nothing else of the hub. */
export { placeText } from '../hub/source-lists/place-text.ts';
export {
  dialectOfUrl,
  isAddress,
  kindOfUrl,
  looksLikeSitemap,
  type WebKind,
} from '../hub/source-lists/source-guess.ts';
export { planImport } from '../hub/source-lists/source-import-plan.ts';
