import { type Command, Option } from 'commander';
import type { Extensions, RiskSettings } from '../doors/settings.ts';
import type { World } from './world.ts';

/** What a feed may say beside the core of AICF: nothing of it unless asked for. */
export function addExtensionOptions(command: Command): Command {
  return command
    .option('--chunk-hints', 'add chunk_id and section_checksum to each event')
    .option('--embed-ref <url>', 'also add embed_ref: this URL, with {chunk_id} filled in')
    .option('--billing-hints <plan>', 'add plan, unit, size and nonce to each event')
    .addOption(new Option('--billing-unit <unit>', 'the unit of size').choices(['bytes', 'tokens']));
}

/** From the flags, else from the settings. */
export async function extensionsOf(
  options: Readonly<Record<string, unknown>>,
  { settings }: Pick<World, 'settings'>,
): Promise<Extensions> {
  const { chunkHints, embedRef, billingHints: plan, billingUnit: unit = 'bytes' } = options;
  const said = {
    ...(embedRef === undefined ? chunkHints === true && { chunkHints: true } : { chunkHints: { embedRef } }),
    ...(plan !== undefined && { billingHints: { plan, unit } }),
  };
  const { extensions = {} } = settings ?? {};
  if (Object.keys(said).length === 0) return extensions;
  const { decodeExtensions } = await import('../doors/settings.ts');
  return { ...extensions, ...decodeExtensions(said, '--') };
}

/** The weights that the settings give to the rules of risk. */
export function riskRulesOf({ settings }: Pick<World, 'settings'>): RiskSettings['rules'] {
  return settings?.risk?.rules ?? {};
}
