import { AICF_DISCOVERY_PATH } from '../../../codecs/aicf/wire.ts';
import type { DocumentSource } from '../../document-source.ts';

/** Where the documents of a site may be. */
export interface AicfPlaces {
  /** Where the discovery document may be, the correct place first. */
  readonly discoveryPaths: readonly string[];
  /** The one document to check, if a document rather than a site was named. A discovery document is also among the paths. */
  readonly named?: { readonly is: 'feed' | 'discovery'; readonly address: string };
  /** The assumed feed if there is no discovery document. */
  readonly feedAddress?: string;
}

const FEED_FILE = /\.(?:ndjson|jsonl)$/i;
/** Where `tidings publish` writes it. */
const DEFAULT_FEED = '/ai-changes.ndjson';

/** A feed may have a separate discovery document in the folder of its name: `/aicf/docs.ndjson` in `/aicf/docs/`. */
export function aicfPlaces({ url }: Pick<DocumentSource, 'url'>): AicfPlaces {
  if (url === undefined) return { discoveryPaths: [AICF_DISCOVERY_PATH], feedAddress: DEFAULT_FEED };
  const { pathname, search } = url;
  const address = new URL(pathname + search, url).href;
  if (pathname.endsWith(AICF_DISCOVERY_PATH)) {
    const others = pathname + search === AICF_DISCOVERY_PATH ? [] : [address];
    return { discoveryPaths: [AICF_DISCOVERY_PATH, ...others], named: { is: 'discovery', address } };
  }
  const below = [new URL('.', url).pathname + AICF_DISCOVERY_PATH.slice(1)];
  const isFeed = FEED_FILE.test(pathname);
  if (isFeed) below.push(pathname.replace(FEED_FILE, '') + AICF_DISCOVERY_PATH);
  return {
    discoveryPaths: [...new Set([AICF_DISCOVERY_PATH, ...below])],
    ...(isFeed && { named: { is: 'feed', address } }),
  };
}
