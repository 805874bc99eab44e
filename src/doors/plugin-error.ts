import { CodedError } from '../errors/coded-error.ts';

/** Flags of the command line that say yes. */
const SWITCHES: readonly string[] = ['--allow-deletes', '--allow-private', '--force', '--clean-urls', '--dry-run'];

/** Ends a build. The message names the door that it is about, and options by the names that they have there. */
export function pluginError(door: string, message: string, cause?: unknown): CodedError {
  return new CodedError('PluginError', 'fix-config', `${door}: ${asOptions(message)}`, { cause });
}

/** A text that names flags of the command line, with the options of a plugin in their place. Commands, in double quotes, stay. */
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
