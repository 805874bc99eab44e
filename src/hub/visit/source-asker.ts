import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import type { Asker } from '../../fetch/asker.ts';
import { namedAddresses } from '../config/source-address.ts';
import type { SourceConfig } from '../config/source-config.ts';

/** The asker for a watched source: the hosts of the addresses in its config count as its own. */
export function sourceAsker(config: SourceConfig): Asker {
  const hosts = new Set(
    namedAddresses(config)
      .filter((address) => canParseUrl(address))
      .map((address) => new URL(address).host),
  );
  return { name: `source:${config.id}`, isOwn: (host) => hosts.has(host) };
}
