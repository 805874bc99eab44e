import { sha256Name } from '../../codecs/diffdelta/cursor.ts';
import { hashOfText } from '../../codecs/diffdelta/encode.ts';

const WHOLE = /^\{"hash":"(sha256:[0-9a-f]{64})",/;
const SHORT = /^\{"hash":"(sha256:[0-9a-f]{8})",/;
const SHORT_CHARACTERS = 'sha256:'.length + 8;

/** A DiffDelta feed with only the beginning of its hash, which follows from the rest. One that has another hash stays as it is. */
export function withoutHash(text: string): string {
  const [start = '', hash] = WHOLE.exec(text) ?? [];
  if (hash === undefined || hashOfText(text) !== hash) return text;
  return `{"hash":"${hash.slice(0, SHORT_CHARACTERS)}",${text.slice(start.length)}`;
}

/** The feed again. Throws where its beginning is not that of its hash. */
export function withHash(text: string): string {
  const [start = '', short] = SHORT.exec(text) ?? [];
  if (short === undefined) return text;
  const rest = text.slice(start.length);
  const hash = sha256Name(`{${rest}`);
  if (!hash.startsWith(short)) throw new Error('The feed is not what was archived.');
  return `{"hash":"${hash}",${rest}`;
}
