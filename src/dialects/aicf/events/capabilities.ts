import { AICF_CAPABILITIES } from '../../../codecs/aicf/wire.ts';
import type { Extensions } from '../../../model/extensions.ts';

/** The names under which discovery announces the enabled extensions (AICF-X6). */
export function capabilitiesOf({ chunkHints, billingHints }: Extensions): readonly string[] {
  return [
    ...(chunkHints === undefined ? [] : [AICF_CAPABILITIES.chunkHints]),
    ...(billingHints === undefined ? [] : [AICF_CAPABILITIES.billingHints]),
  ];
}
