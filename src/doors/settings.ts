import { type ConfigContext, decodeHubConfig, decodeSettings, type Settings } from '../hub/config/decode-config.ts';
import { decodeSource, type SourceContext } from '../hub/config/decode-source.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import { ARCHIVED_DIALECTS, FEED_DIALECTS } from './feed-dialects.ts';

export { decodeExtensions, type Settings } from '../hub/config/decode-config.ts';
export type { SourceContext } from '../hub/config/decode-source.ts';
export type { HubConfig, RiskSettings, SurfaceSettings } from '../hub/config/hub-config.ts';
export type { SourceConfig } from '../hub/config/source-config.ts';
export type { Extensions } from '../model/extensions.ts';

/** Decodes a settings file, without defaults. Its sources may name every dialect that has a reader. */
export function settingsOf(value: unknown, context: ConfigContext): Settings {
  return decodeSettings(value, { ...context, dialects: FEED_DIALECTS, archived: ARCHIVED_DIALECTS });
}

/** The settings of a hub, with defaults. */
export function hubConfigOf(value: unknown, context: ConfigContext): HubConfig {
  return decodeHubConfig(value, { ...context, dialects: FEED_DIALECTS, archived: ARCHIVED_DIALECTS });
}

/** The settings of one source. */
export function sourceConfigOf(value: unknown, context: SourceContext): SourceConfig {
  return decodeSource(value, { ...context, dialects: FEED_DIALECTS });
}
