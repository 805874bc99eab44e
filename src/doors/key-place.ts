import type { KeyView, NewKey } from '../hub/routes/key-view.ts';
import type { KeyUsageView, UsageView } from '../hub/routes/usage-view.ts';

export { SOLD_TIERS } from '../hub/config/tiers.ts';
export type { KeyView } from '../hub/routes/key-view.ts';
export type { KeyUsageView, UsageView } from '../hub/routes/usage-view.ts';

/** A request for a new key. */
export interface KeyWish {
  readonly tier: string;
  readonly label?: string;
}

/** Where API keys are kept: a running hub, or the data folder of one that is not running. */
export interface KeyPlace extends AsyncDisposable {
  /** The only time that the key itself is visible. */
  issue(wish: KeyWish): Promise<NewKey & KeyView>;
  /** In order of creation, including keys that are no longer valid. */
  list(): Promise<readonly KeyView[]>;
  /** By the beginning of the key, its hash, or the key itself. */
  revoke(key: string): Promise<KeyView>;
  /** The requests with one key, by day. */
  usageOf(key: string): Promise<UsageView>;
  /** The requests with each key. */
  allUsage(): Promise<readonly KeyUsageView[]>;
}
