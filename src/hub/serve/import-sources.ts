import { TidingsError } from '../../errors/tidings-error.ts';
import type { Watch } from '../hub.ts';
import { type Decode, fieldsOf, flag, listOf, refused } from '../setting-decoders.ts';
import type { SourceConfig } from '../source-config.ts';
import { problem } from './problem.ts';
import type { HubResponse } from './route.ts';
import { uncachedJson } from './small-answer.ts';

export interface ImportParts {
  readonly watch: Pick<Watch, 'source' | 'add' | 'remove'>;
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
  return addAll(fresh, existing, watch);
}

function doubled(sources: readonly SourceConfig[]): string[] {
  const seen = new Set<string>();
  const twice = sources.filter(({ id }) => seen.size === seen.add(id).size).map(({ id }) => id);
  return [...new Set(twice)];
}

async function addAll(
  sources: readonly SourceConfig[],
  existing: readonly string[],
  watch: ImportParts['watch'],
): Promise<HubResponse> {
  const added: string[] = [];
  try {
    for (const source of sources) {
      await watch.add(source);
      added.push(source.id);
    }
  } catch (error) {
    const left = await takeBack(added, watch);
    if (left.length > 0) return halfDone(left);
    throw error;
  }
  return uncachedJson(201, { added, existing });
}

/** The ids that could not be taken back: the disk that did not take one more may not take that either. */
async function takeBack(added: readonly string[], watch: ImportParts['watch']): Promise<string[]> {
  const left: string[] = [];
  for (const id of added) {
    await watch.remove(id).catch((error: unknown) => {
      if (!(error instanceof TidingsError)) throw error;
      left.push(id);
    });
  }
  return left;
}

function halfDone(added: readonly string[]): HubResponse {
  const detail =
    'The hub can no longer write to its disk. Those in added are watched, the others are not. Try again with skipExisting.';
  return problem({ status: 503, detail, added }, { 'retry-after': '30' });
}

function duplicates(existing: readonly string[], how: string): HubResponse {
  const named = existing.slice(0, 10).join(', ') + (existing.length > 10 ? ` and ${existing.length - 10} more` : '');
  return problem({
    status: 409,
    detail: `Nothing was added: ${named} ${existing.length === 1 ? 'is' : 'are'} ${how}. With skipExisting, those that are watched are passed over.`,
    existing,
  });
}
