import { objectOf, refused } from './setting-decoders.ts';
import type { SourceConfig } from './source-config.ts';

/** The settings of a watched source that can be changed. */
export const EDITABLE_KEYS = [
  'title',
  'tags',
  'intervalSeconds',
  'include',
  'exclude',
  'ignore',
  'only',
  'fallbacks',
  'sitemap',
  'maxPages',
  'cleanUrls',
  'audit',
] as const;

/** What a source is, and where it is read: a change makes it another source. */
const FIXED_KEYS: readonly string[] = ['id', 'kind', 'url', 'urls', 'path', 'site', 'dialect', 'apiKeyFile', 'tellsOf'];

/** The source with these settings changed; `null` removes one. `decode` receives the whole result. Throws a {@link SettingRefusedError} that names the key. */
export function editedSource(
  config: SourceConfig,
  value: unknown,
  decode: (whole: unknown) => SourceConfig,
): SourceConfig {
  const edits = objectOf(value, '');
  for (const [key, given] of Object.entries(edits)) {
    if (!FIXED_KEYS.includes(key)) continue;
    throw refused(key, given, 'It says what the source is. Add another source, and remove this one.');
  }
  const all = Object.entries({ ...config, ...edits });
  return decode(Object.fromEntries(all.filter(([, setting]) => setting !== null)));
}
