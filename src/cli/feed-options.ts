import { type Command, Option } from 'commander';
import { decodeExtensions, decodeSettings, type Settings } from '../hub/config/decode-config.ts';
import type { RiskSettings } from '../hub/config/hub-config.ts';
import { feedDialects } from '../hub/visit/feed-readers.ts';
import type { Extensions } from '../produce/make-hints.ts';
import type { World } from './world.ts';

/** What a feed may say beside the core of AICF: nothing of it unless asked for. */
export function addExtensionOptions(command: Command): Command {
  return command
    .option('--chunk-hints', 'add chunk_id and section_checksum to each event')
    .option('--embed-ref <url>', 'add embed_ref, too: this URL with {chunk_id} in it')
    .option('--billing-hints <plan>', 'add plan, unit, size and nonce to each event')
    .addOption(new Option('--billing-unit <unit>', 'what size counts').choices(['bytes', 'tokens']));
}

/** Those of the flags, else those of the settings. */
export function extensionsOf(options: Readonly<Record<string, unknown>>, { config }: World): Extensions {
  const { chunkHints, embedRef, billingHints: plan, billingUnit: unit = 'bytes' } = options;
  const said = {
    ...(embedRef === undefined ? chunkHints === true && { chunkHints: true } : { chunkHints: { embedRef } }),
    ...(plan !== undefined && { billingHints: { plan, unit } }),
  };
  const { extensions = {} } = settingsOf(config);
  return { ...extensions, ...decodeExtensions(said, '--') };
}

/** The weights that the settings give to the rules of risk. */
export function riskRulesOf({ config }: Pick<World, 'config'>): RiskSettings['rules'] {
  return settingsOf(config).risk?.rules ?? {};
}

/** What the file of settings says. */
export function settingsOf(config: World['config']): Settings {
  if (config === undefined) return {};
  const { value, folder, file } = config;
  return decodeSettings(value, { base: folder, file, allowPrivate: true, dialects: feedDialects() });
}
