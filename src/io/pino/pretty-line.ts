/** Control characters, including line ends, and characters that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const INDENT = '    ';

/**
 * A line of the log for people: `03:31:08 warn  A check failed  source=docs error="No answer from …"`.
 *
 * No text in it can begin a line or move the cursor: the stack of an error is indented below.
 */
export function prettyLine(json: string): string {
  const { level, time, msg, ...fields } = decodeLine(json);
  const clock = String(time).slice(11, 19);
  const words = Object.entries(fields).map(([name, value]) => `${visible(name)}=${shortValue(value)}`);
  const line = [`${clock} ${String(level).padEnd(5)} ${visible(String(msg))}`, ...words].join('  ');
  return `${[line, ...stackLines(fields)].join('\n')}\n`;
}

function decodeLine(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

function shortValue(value: unknown): string {
  const text = isErrorLike(value) ? value.message : value;
  if (typeof text !== 'string') return visible(JSON.stringify(text) ?? '');
  return /^[^\s"=]+$/.test(text) ? visible(text) : visible(JSON.stringify(text));
}

function stackLines(fields: Record<string, unknown>): string[] {
  const stacks = Object.values(fields).flatMap((value) => (isErrorLike(value) && value.stack ? [value.stack] : []));
  return stacks.flatMap((stack) => stack.split('\n').map((line) => INDENT + visible(line.trim())));
}

function isErrorLike(value: unknown): value is { readonly message: string; readonly stack?: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function visible(text: string): string {
  return text.replace(DANGEROUS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
