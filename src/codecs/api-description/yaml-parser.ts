/**
 * The parser of YAML, to be loaded when it is needed. The package is CommonJS: loaded by its own name at run time, it would have
 * its functions under another name inside of the bundle than outside of it.
 */
export { isScalar, parseDocument } from 'yaml';
