import { isRecord } from '../codecs/primitives/json-record.ts';
import { parseObject } from './package-file.ts';
import { KEY_PATH } from './plan-key.ts';
import { CONFIG_NAME } from './see-site.ts';
import { isBuiltHere, type SetupFacts } from './setup-facts.ts';
import type { WantedFile } from './setup-step.ts';

/** The settings of the folder: the URL of its site and, if it is not built on another machine, the key of its log. */
export function wantedConfig(facts: SetupFacts): WantedFile {
  const { site, wantsKey, packageFile } = facts;
  // Elsewhere the key comes from a variable, since its file is not committed.
  const settings = { site: site.site.href, ...(wantsKey && isBuiltHere(facts) && { logKey: `./${KEY_PATH}` }) };
  const schema = packageFile.isThere && { $schema: './node_modules/tidings/schema/tidings.config.schema.json' };
  const entries = Object.entries(settings);
  return {
    path: CONFIG_NAME,
    text: `${JSON.stringify({ ...schema, ...settings }, null, 2)}\n`,
    isDone(text) {
      const value = parseObject(text);
      return isRecord(value) && entries.every(([key, wanted]) => isSameSetting(value[key], wanted));
    },
    where: 'among its settings',
    lines: entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n'),
  };
}

/** URLs are equal with and without their last slash. */
function isSameSetting(value: unknown, wanted: string): boolean {
  return typeof value === 'string' && (value === wanted || `${value}/` === wanted);
}
