/** Lists of sources in foreign formats. */
export { type ImportFormat, readImport, type SkippedSource } from '../hub/source-lists/source-import.ts';
