/** What an address most probably is, and how sources are called. Loads nothing of the hub but these few functions. */
export { placeText } from '../hub/source-lists/place-text.ts';
export {
  dialectOfUrl,
  isAddress,
  kindOfUrl,
  looksLikeSitemap,
  type WebKind,
} from '../hub/source-lists/source-guess.ts';
export { planImport } from '../hub/source-lists/source-import-plan.ts';
