import { strictHttpUrl } from '../codecs/atom/http-url.ts';
import { encodeHubLinks } from '../codecs/websub/links.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HeaderRule } from '../model/artifact.ts';
import type { ProjectionOptions } from './projection.ts';

/** The header rules of a feed's files. The rule of the feed itself names the hub that pushes it and the topic URL for subscribers. */
export function withHubLinks(
  rules: readonly HeaderRule[],
  topic: string | undefined,
  { site, websub }: Pick<ProjectionOptions, 'site' | 'websub'>,
): readonly HeaderRule[] {
  if (websub === undefined || topic === undefined) return rules;
  const link = encodeHubLinks({ hub: new URL(websub).href, self: new URL(topic, site).href });
  return rules.map((rule) => (rule.path === topic ? { ...rule, link } : rule));
}

/** Throws a SettingRefusedError for a value that cannot be a hub. */
export function ensureHub(websub: string | undefined): void {
  if (websub === undefined || strictHttpUrl(websub) !== undefined) return;
  throw new SettingRefusedError('websub', websub, 'Give the http(s) URL of a hub that pushes the feed.');
}
