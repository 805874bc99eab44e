import { sourceHeldError, sourceQuotaError, sourceUnknownError } from '../../errors/refusals.ts';
import { editedSource } from '../config/edited-source.ts';
import type { KeySourceRules } from '../config/key-sources.ts';
import { refused } from '../config/setting-decoders.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { ResumeOptions, Watch } from '../watch/watch-port.ts';

/** Who wants something of sources: the admin, or somebody by whose name his own are known. */
export type SourceCaller = { readonly is: 'admin' } | { readonly is: 'owner'; readonly owner: string };

/** What a caller may see of the sources of a hub, and do with them. A source of somebody else does not exist for the caller. */
export interface SourceAccess {
  all(): readonly WatchedSource[];
  /** Throws a SourceUnknownError. */
  known(id: string): WatchedSource;
  /** Throws a {@link SettingRefusedError} that names the key, with `at` before it. */
  decode(value: unknown, at: string): SourceConfig;
  add(config: SourceConfig): Promise<WatchedSource>;
  change(config: SourceConfig): Promise<WatchedSource>;
  /** Changes what was written down of a source: see {@link editedSource}. */
  edit(id: string, value: unknown): Promise<WatchedSource>;
  pause(id: string, reason: string): Promise<WatchedSource>;
  resume(id: string, options: ResumeOptions): Promise<WatchedSource>;
  remove(id: string): Promise<void>;
}

export interface SourceAccessParts {
  readonly watch: Watch;
  /** As the API accepts a source: without paths of this machine, except stored ones. */
  decodeSource(value: unknown, at: string, options?: { readonly isStored: boolean }): SourceConfig;
  readonly rules: KeySourceRules;
  /** Whether the name alone says that a host is one of our own network. */
  isPrivateName(hostname: string): boolean;
}

/** Makes the access of each caller. The maximum of sources per key owner holds even for concurrent additions. */
export function sourceAccess(parts: SourceAccessParts): (caller: SourceCaller) => SourceAccess {
  const { watch } = parts;
  const edited = (id: string, value: unknown) =>
    editedSource(watch.source(id)?.config ?? unknown(id), value, (whole) =>
      parts.decodeSource(whole, '', { isStored: true }),
    );
  const admin: SourceAccess = {
    all: () => watch.sources(),
    known: (id) => watch.source(id) ?? unknown(id),
    decode: (value, at) => parts.decodeSource(value, at),
    add: async (config) => (await watch.add([config]))[0] ?? unknown(config.id),
    change: (config) => watch.change(config),
    edit: async (id, value) => await watch.change(edited(id, value)),
    pause: (id, reason) => watch.pause(id, reason),
    resume: (id, options) => watch.resume(id, options),
    remove: (id) => watch.remove(id),
  };
  /** Running additions by owner, one after another, so that they are counted. */
  const adding = new Map<string, Promise<void>>();
  return (caller) => (caller.is === 'admin' ? admin : ownerAccess(caller.owner, { ...parts, admin, adding, edited }));
}

interface OwnerParts extends SourceAccessParts {
  readonly admin: SourceAccess;
  readonly edited: (id: string, value: unknown) => SourceConfig;
  readonly adding: Map<string, Promise<void>>;
}

function ownerAccess(owner: string, { watch, rules, admin, adding, edited, ...parts }: OwnerParts): SourceAccess {
  const own = () => watch.sources().filter((source) => source.owner === owner);
  const known = (id: string) => {
    const source = watch.source(id);
    return source?.owner === owner ? source : unknown(id);
  };
  /** A source that somebody else has paused cannot be controlled by the owner. */
  const free = (id: string) => {
    const { paused, pausedBy } = known(id);
    if (paused !== undefined && pausedBy !== 'owner') throw sourceHeldError(id, paused);
  };
  return {
    ...admin,
    all: own,
    known,
    decode: (value, at) => ensureModest(parts.decodeSource(value, at), { rules, at, ...parts }),
    async add(config) {
      const added = (adding.get(owner) ?? Promise.resolve()).then(async () => {
        if (own().length >= rules.most) throw sourceQuotaError(rules.most);
        return (await watch.add([config], { owner }))[0] ?? unknown(config.id);
      });
      const settled = added.then(
        () => undefined,
        () => undefined,
      );
      adding.set(owner, settled);
      await settled;
      if (adding.get(owner) === settled) adding.delete(owner);
      return await added;
    },
    async edit(id, value) {
      free(id);
      return await watch.change(ensureModest(edited(id, value), { rules, at: '', ...parts }));
    },
    async pause(id, reason) {
      free(id);
      return await watch.pause(id, reason, 'owner');
    },
    async resume(id, options) {
      free(id);
      return await watch.resume(id, options);
    },
  };
}

/** Restricts sources to the public web, and to the limits of the rules. */
function ensureModest(
  config: SourceConfig,
  { rules, at, isPrivateName }: Pick<SourceAccessParts, 'rules' | 'isPrivateName'> & { readonly at: string },
): SourceConfig {
  const place = (key: string) => (at === '' ? key : `${at}.${key}`);
  if (config.kind === 'folder') throw refused(place('kind'), config.kind, 'Give one of auto, site, page, feed.');
  const { intervalSeconds } = config;
  if (intervalSeconds !== undefined && intervalSeconds < rules.minIntervalSeconds) {
    throw refused(place('intervalSeconds'), intervalSeconds, `Give ${rules.minIntervalSeconds} or more.`);
  }
  for (const [key, url] of addressesOf(config)) {
    if (isPrivateName(new URL(url).hostname)) throw refused(place(key), url, 'Give an address on the public web.');
  }
  if (config.kind === 'feed') return config;
  const pages = config.kind === 'page' ? config.urls.length : (config.maxPages ?? 0);
  if (pages > rules.maxPages) {
    const key = config.kind === 'page' ? 'urls' : 'maxPages';
    throw refused(place(key), pages, `A key may watch ${rules.maxPages} pages of a source at most.`);
  }
  return config.kind === 'page' ? config : { ...config, maxPages: config.maxPages ?? rules.maxPages };
}

function addressesOf(config: Exclude<SourceConfig, { readonly kind: 'folder' }>): [key: string, url: string][] {
  const fallbacks = 'fallbacks' in config ? (config.fallbacks ?? []) : [];
  return [
    ...(config.kind === 'page' ? config.urls : [config.url]).map((url): [string, string] => ['url', url]),
    ...fallbacks.map((url): [string, string] => ['fallbacks', url]),
    ...(config.kind === 'site' && config.sitemap !== undefined
      ? [['sitemap', config.sitemap] as [string, string]]
      : []),
  ];
}

function unknown(id: string): never {
  throw sourceUnknownError(id.slice(0, 100));
}
