import { accept, type Result, refuse } from '../primitives/result.ts';

/** The names and values of a form, in order. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/**
 * Reads `application/x-www-form-urlencoded`. Text that is not UTF-8 is refused, not repaired: a secret with another byte is another
 * secret.
 */
export function decodeForm(bytes: Uint8Array): Result<FormFields> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const pairs = text.split('&').filter((pair) => pair !== '');
    return accept(pairs.map(fieldOf));
  } catch {
    return refuse('WS-R1', 'The form is not encoded in UTF-8.');
  }
}

/** The form as text, in UTF-8. */
export function encodeForm(fields: FormFields): string {
  return fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

function fieldOf(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  return at === -1 ? [plain(pair), ''] : [plain(pair.slice(0, at)), plain(pair.slice(at + 1))];
}

/** A percent sign that begins no escape stands for itself. */
function plain(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9A-Fa-f]{2})/g, '%25'));
}
