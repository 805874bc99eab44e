import { SettingRefusedError } from '../../../errors/setting-refused-error.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';
import type { ReaderPorts } from '../../reader.ts';
import { createReader } from './create-reader.ts';
import { READER_STORAGE } from './reader-storage.ts';
import { inTurn } from './reader-turns.ts';

export interface RetrustOptions {
  /** Trusts the feed that it moved to, instead of its own. */
  readonly moved?: boolean;
}

export interface Retrusted {
  /** The feed that is trusted again. */
  readonly feedUrl: string;
  /** The other end of its move, which was left alone. Absent if the feed did not move, or the move is not followed. */
  readonly other?: string;
}

/** The parts of a source's configuration that are needed here. */
export interface RetrustedSource {
  readonly id: string;
  readonly kind: string;
  readonly dialect?: string;
  readonly url?: string;
}

export interface RetrustParts {
  readonly store: Pick<ReaderPorts, 'storage'>;
  readonly now: () => number;
}

/**
 * Records an operator's decision to trust the feed of a source again, although it was terminated or moved. This is the feed that
 * the source names, because nothing signs where a feed moves to. No request is made: the next check reads the feed. Throws a {@link
 * SettingRefusedError} for a source that has no such feed.
 */
export async function retrustSource(
  { id, kind, dialect, url: named }: RetrustedSource,
  { store, now }: RetrustParts,
  { moved = false }: RetrustOptions = {},
): Promise<Retrusted> {
  const isFeed = kind === 'auto' || (kind === 'feed' && dialect === 'agent-feed');
  if (!isFeed || named === undefined) {
    throw new SettingRefusedError('source', id, 'Only a source of the dialect agent-feed can lose its trust.');
  }
  // The feed of a site is the feed of its origin.
  const url = kind === 'auto' ? new URL('/', named).href : named;
  const state = store.storage(READER_STORAGE);
  return await inTurn(state, new URL(url), async () => {
    const reader = createReader({ http: NO_WAY_OUT, state, now });
    const { feedUrl: last, migratedFrom } = await reader.report(url);
    const [first = last] = migratedFrom;
    if (moved && first === last) throw new SettingRefusedError('moved', id, 'Its feed was not followed anywhere.');
    const [feedUrl, other] = moved ? [last, first] : [first, last];
    await reader.retrust(feedUrl);
    return { feedUrl, ...(other !== feedUrl && { other }) };
  });
}

const NO_WAY_OUT: HttpClient = {
  get() {
    throw new Error('Trust is given without asking anybody.');
  },
  async [Symbol.asyncDispose]() {},
};
