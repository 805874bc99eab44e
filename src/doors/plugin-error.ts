import { CodedError } from '../errors/coded-error.ts';

/** Command-line flags without a value. */
const SWITCHES: readonly string[] = ['--allow-deletes', '--allow-private', '--force', '--clean-urls', '--dry-run'];

/** An error that ends a build. The message names its door, and options by their names there. */
export function pluginError(door: string, message: string, cause?: unknown): CodedError {
  return new CodedError('PluginError', 'fix-config', `${door}: ${asOptions(message)}`, { cause });
}

/** Replaces the command-line flags in a text with the options of a plugin. Commands in double quotes stay as they are. */
export function asOptions(text: string): string {
  return text.replace(/"[^"]*"|(?<=^|[\s('`])--[a-z]+(?:-[a-z]+)*/g, (found) => {
    if (found.startsWith('"')) return found;
    if (SWITCHES.includes(found)) return `\`${camelCase(found.slice(2))}: true\``;
    return found.startsWith('--no-') ? `\`${camelCase(found.slice(5))}: false\`` : `\`${camelCase(found.slice(2))}\``;
  });
}

function camelCase(words: string): string {
  return words.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
