/**
 * Values of settings that others wrote, read as cautiously as can be: a value counts where it stands as a plain text in one
 * line, once. Nothing is run, and what is written otherwise is not seen.
 */

/** No address and no name of a folder is longer. */
const MAX_LINE = 2000;

/** `site_url: https://docs.example/` at the margin of a YAML file, with or without quotes. */
export function yamlValue(text: string, key: string): string | undefined {
  return onlyValue(shortLines(text).flatMap((line) => keyedText(line, key, ':') ?? []));
}

/** `baseURL = 'https://docs.example/'` of a TOML file, above its first table, or of a Python file. */
export function assignedValue(text: string, key: string): string | undefined {
  const lines = shortLines(text);
  const table = lines.findIndex((line) => /^\s*\[/.test(line));
  const top = table < 0 ? lines : lines.slice(0, table);
  return onlyValue(top.flatMap((line) => keyedText(line, key, '=') ?? []).filter((value) => /^["']/.test(value)));
}

/** `site: 'https://docs.example/'` of a JavaScript or JSON file, outside of comments that take whole lines. */
export function literalValue(text: string, key: string): string | undefined {
  const pattern = new RegExp(`(?<![\\w$-])["']?${key}["']?\\s*:\\s*(["'\`][^"'\`$]*["'\`])`, 'g');
  const code = shortLines(text).filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line));
  return onlyValue(code.flatMap((line) => [...line.matchAll(pattern)].map(([, value = '']) => value)));
}

function shortLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.length <= MAX_LINE);
}

/** What stands behind a key at the margin, without a comment behind it. Keys are compared as Hugo does, in any case. */
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

/** Without its quotes, where there is one value that is not empty. */
function onlyValue(found: readonly string[]): string | undefined {
  const values = new Set(found.map((value) => /^(["'`])([^"'`]*)\1$/.exec(value)?.[2] ?? value));
  const [value = ''] = values;
  return values.size === 1 && value !== '' && !/["'`]/.test(value) ? value : undefined;
}
