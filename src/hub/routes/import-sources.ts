import { type Decode, fieldsOf, flag, listOf, refused } from '../config/setting-decoders.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { problem } from '../http/problem.ts';
import type { HubResponse } from '../http/route.ts';
import { uncachedJson } from '../http/small-answer.ts';
import type { Watch } from '../watch/watch-port.ts';

export interface ImportParts {
  readonly watch: Pick<Watch, 'source' | 'add'>;
  readonly decode: Decode<SourceConfig>;
}

const MAX_SOURCES = 10_000;

/** All of the sources in the body, or none when one is malformed, exists or cannot be stored. */
export async function importSources(body: unknown, { watch, decode }: ImportParts): Promise<HubResponse> {
  const shape = { sources: listOf(decode, { least: 1, most: MAX_SOURCES }), skipExisting: flag };
  const { sources, skipExisting = false } = fieldsOf(shape, body, '');
  if (sources === undefined) throw refused('sources', undefined, `Give a list of 1 to ${MAX_SOURCES} sources.`);

  const ids = new Set(sources.map(({ id }) => id));
  if (ids.size < sources.length) return duplicates(doubled(sources), 'in the list twice');
  const existing = [...ids].filter((id) => watch.source(id) !== undefined);
  if (existing.length > 0 && !skipExisting) return duplicates(existing, 'watched already');

  const passedOver = new Set(existing);
  const fresh = sources.filter(({ id }) => !passedOver.has(id));
  await watch.add(fresh);
  return uncachedJson(201, { added: fresh.map(({ id }) => id), existing });
}

function doubled(sources: readonly SourceConfig[]): string[] {
  const seen = new Set<string>();
  const twice = sources.filter(({ id }) => seen.size === seen.add(id).size).map(({ id }) => id);
  return [...new Set(twice)];
}

function duplicates(existing: readonly string[], how: string): HubResponse {
  const named = existing.slice(0, 10).join(', ') + (existing.length > 10 ? ` and ${existing.length - 10} more` : '');
  return problem({
    status: 409,
    detail: `Nothing was added: ${named} ${existing.length === 1 ? 'is' : 'are'} ${how}. With skipExisting, those that are watched are passed over.`,
    existing,
  });
}
