/**
 * Values from settings that others wrote, read as cautiously as possible: a value counts only if it is plain text on one line, once. Nothing is
 * executed, and other forms are ignored.
 */

/** No address and no name of a folder is longer. */
const MAX_LINE = 2000;

/** `site_url: https://docs.example/` without indentation in a YAML file, with or without quotes. */
export function yamlValue(text: string, key: string): string | undefined {
  return onlyValue(shortLines(text).flatMap((line) => keyedText(line, key, ':') ?? []));
}

/** `baseURL = 'https://docs.example/'` in a TOML file, above its first table, or in a Python file. */
export function assignedValue(text: string, key: string): string | undefined {
  const lines = shortLines(text);
  const table = lines.findIndex((line) => /^\s*\[/.test(line));
  const top = table < 0 ? lines : lines.slice(0, table);
  return onlyValue(top.flatMap((line) => keyedText(line, key, '=') ?? []).filter((value) => /^["']/.test(value)));
}

/** `site: 'https://docs.example/'` in a JavaScript or JSON file, outside whole-line comments. */
export function literalValue(text: string, key: string): string | undefined {
  const pattern = new RegExp(`(?<![\\w$-])["']?${key}["']?\\s*:\\s*(["'\`][^"'\`$]*["'\`])`, 'g');
  const code = shortLines(text).filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line));
  return onlyValue(code.flatMap((line) => [...line.matchAll(pattern)].map(([, value = '']) => value)));
}

function shortLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.length <= MAX_LINE);
}

/** The text after a key without indentation, without a trailing comment. Keys are compared case-insensitively, as Hugo does. */
function keyedText(line: string, key: string, sign: string): string | undefined {
  if (line.slice(0, key.length).toLowerCase() !== key.toLowerCase()) return undefined;
  const rest = line.slice(key.length).trimStart();
  return rest.startsWith(sign)
    ? rest
        .slice(1)
        .replace(/\s#.*$/, '')
        .trim()
    : undefined;
}

/** Without its quotes, if there is exactly one non-empty value. */
function onlyValue(found: readonly string[]): string | undefined {
  const values = new Set(found.map((value) => /^(["'`])([^"'`]*)\1$/.exec(value)?.[2] ?? value));
  const [value = ''] = values;
  return values.size === 1 && value !== '' && !/["'`]/.test(value) ? value : undefined;
}
