import type { KeySourceRules } from '../config/key-sources.ts';
import type { SourceNews } from '../health/source-status.ts';
import { withProblems } from '../http/api-problems.ts';
import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { JSON_TYPE } from '../http/small-answer.ts';
import { asCaller, type Caller } from '../keys/caller.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { shownOwner } from '../keys/self-service-owner.ts';
import type { SourceAccess, SourceAccessParts } from '../keys/source-access.ts';
import type { WebSubView } from '../push/subscriber/websub-view.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { ImportParts } from './import-sources.ts';
import { type SourceView, viewSource } from './source-view.ts';

export interface SourceParts extends Omit<SourceAccessParts, 'rules'>, Pick<ImportParts, 'dialectOf' | 'jobs'> {
  readonly news: SourceNews;
  readonly keys: Pick<KeyRing, 'find' | 'ownerOf' | 'newestOf'>;
  /** What the owner of a key may watch. */
  readonly keySources: KeySourceRules;
  /** Whether a hub pushes news of a source. */
  readonly webSubOf?: ((source: string) => WebSubView | undefined) | undefined;
  now(): number;
  /** Aborted after this time. */
  deadline(ms: number): AbortSignal;
}

export const SOURCES_PATH = '/api/v1/sources';

export const SOURCE_ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the source.',
  schema: { type: 'string' },
} as const;
export const BAD_BODY = 'The body is not as described; detail names the key.';
export const NO_SOURCE = 'There is no such source.';
export const NO_WRITE = 'The hub cannot write to its disk now.';
export const SOURCE_VIEW = { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Source' } };

export interface SourceRouteParts extends SourceParts {
  readonly accessOf: (caller: Caller) => SourceAccess;
}

/** DiffDelta §10: custom sources. */
const TIERS = ['enterprise'] as const;

type Answer = (request: HubRequest, access: SourceAccess) => HubResponse | Promise<HubResponse>;

/** Answers with what the caller may see and do. */
export function withAccess({ keys, accessOf }: SourceRouteParts, answer: Answer): Route['handle'] {
  return withProblems(asCaller({ keys, tiers: TIERS }, (request, caller) => answer(request, accessOf(caller))));
}

export function sharedRoute<Method extends Route['method']>(method: Method, path: string, summary: string) {
  return { method, path, access: 'admin-or-key', summary } as const;
}

export function askedSource({ params: { id = '' } }: HubRequest, access: SourceAccess): WatchedSource {
  return access.known(id);
}

export function sourceAnswer(source: WatchedSource, { news, now, keys, webSubOf }: SourceRouteParts): SourceView {
  const owner = shownOwner(source.owner, keys);
  const websub = webSubOf?.(source.config.id);
  return {
    ...viewSource(source, news, now()),
    ...(owner !== undefined && { owner }),
    ...(websub !== undefined && { websub }),
  };
}
