/**
 * Version of the rules that turn HTML into fingerprints, stored with every Page.
 *
 * Raise it whenever the same HTML could give other fingerprints or anchors, because those are not comparable.
 */
export const EXTRACTOR = '4';
