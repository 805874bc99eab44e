const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The first number of a JSON text whose value changes when it is parsed: what is signed would not be what its author wrote.
 * Undefined if all values stay, in any spelling.
 */
export function findInexactNumber(text: string): string | undefined {
  for (const [token] of text.matchAll(STRING_OR_NUMBER)) {
    if (!token.startsWith('"') && valueText(token) !== valueText(String(Number(token)))) return token;
  }
  return undefined;
}

/** The same text for the same number: its digits without surrounding zeros, and the power of ten. */
function valueText(number: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  if (whole === '') return undefined;
  return bare === '' ? '0' : `${sign}${bare}e${Number(exponent) - fraction.length + digits.length - bare.length}`;
}
