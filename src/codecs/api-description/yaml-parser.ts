/**
 * The YAML parser, loaded on demand. The package is CommonJS: imported by its own name at run time, it would export
 * its functions under different names inside and outside the bundle.
 */
export { isScalar, parseDocument } from 'yaml';
