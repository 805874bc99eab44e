/**
 * Version of the rules that turn HTML into fingerprints, kept with every Page.
 *
 * It goes up whenever the same HTML could give other fingerprints or anchors, because those do not compare.
 */
export const EXTRACTOR = '4';
