/** Lists of sources in the formats of others. */
export { type ImportFormat, readImport, type SkippedSource } from '../hub/source-lists/source-import.ts';
