import { DEFAULT_KEY_SOURCES } from '../../src/hub/config/key-sources.ts';

/** The parts of source routes for a hub without API keys. */
export const WITHOUT_KEYS = {
  keys: { find: () => undefined, ownerOf: ({ hash }: { readonly hash: string }) => hash, newestOf: () => undefined },
  keySources: DEFAULT_KEY_SOURCES,
  isPrivateName: () => false,
  dialectOf: (name: string) => (name === 'rss' ? 'atom' : name),
};
