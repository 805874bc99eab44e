/** Lists of sources in the formats of others. */
export {
  type ImportFormat,
  type ImportOptions,
  readImport,
  type SkippedSource,
} from '../hub/source-lists/source-import.ts';
