export type ContentEncoding = 'gzip' | 'br';
export type Encoding = 'identity' | ContentEncoding;

const PLAIN: readonly Encoding[] = ['identity'];
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
/** Clients send the same few headers again and again. */
const remembered = new Map<string, readonly Encoding[]>();
const rememberedWithoutBr = new Map<string, readonly Encoding[]>();
const MAX_REMEMBERED = 64;
const MAX_REMEMBERED_LENGTH = 100;

/**
 * The encodings that a client accepts, best first; none if it refuses all of ours (RFC 9110 §12.5.3).
 *
 * Without the header it gets the plain form, which otherwise comes last unless the client refuses it. `*` covers only what every client can read: `br` is sent
 * only to clients that name it, if there is such a form at all.
 */
export function acceptableEncodings(header: string | undefined, hasBr = true): readonly Encoding[] {
  if (header === undefined) return PLAIN;
  const memory = hasBr ? remembered : rememberedWithoutBr;
  const known = memory.get(header);
  if (known !== undefined) return known;
  const encodings = negotiate(header).filter((encoding) => hasBr || encoding !== 'br');
  if (header.length <= MAX_REMEMBERED_LENGTH) {
    if (memory.size >= MAX_REMEMBERED) memory.clear();
    memory.set(header, encodings);
  }
  return encodings;
}

function negotiate(header: string): readonly Encoding[] {
  const named = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = weightOf(parameters);
    if (weight !== undefined) named.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  const any = named.get('*');
  const weights: readonly (readonly [Encoding, number])[] = [
    ['br', named.get('br') ?? 0],
    ['gzip', named.get('gzip') ?? any ?? 0],
    // Acceptable unless it is refused, but least wanted because it is not named.
    ['identity', named.get('identity') ?? (any === 0 ? 0 : Number.MIN_VALUE)],
  ];
  return weights
    .filter(([, weight]) => weight > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([encoding]) => encoding);
}

/** The weight of an item with these parameters; undefined for a malformed item, which is ignored. */
export function weightOf(parameters: readonly string[]): number | undefined {
  const [parameter, ...more] = parameters;
  if (parameter === undefined) return 1;
  const [name, value = ''] = parameter.split('=').map((part) => part.trim());
  return name === 'q' && more.length === 0 && QVALUE.test(value) ? Number(value) : undefined;
}
