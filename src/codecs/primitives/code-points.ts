/**
 * Orders two texts by code point, which is the order of their UTF-8 bytes.
 *
 * `<` compares UTF-16 units instead and puts U+1F600 before U+FF61.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const difference = left.charCodeAt(at) - right.charCodeAt(at);
    if (difference !== 0) return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at)) || difference;
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all single units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? 1 : 0;
}
