import type { KeyView, NewKey } from '../hub/routes/key-view.ts';
import type { KeyUsageView, UsageView } from '../hub/routes/usage-view.ts';

export { SOLD_TIERS } from '../hub/config/tiers.ts';
export type { KeyView } from '../hub/routes/key-view.ts';
export type { KeyUsageView, UsageView } from '../hub/routes/usage-view.ts';

/** What a new key is asked for with. */
export interface KeyWish {
  readonly tier: string;
  readonly label?: string;
}

/** Where API keys are kept: a hub that runs, or the data folder of one that does not. */
export interface KeyPlace extends AsyncDisposable {
  /** The only time that the key itself is seen. */
  issue(wish: KeyWish): Promise<NewKey & KeyView>;
  /** In order of creation, those that count no more included. */
  list(): Promise<readonly KeyView[]>;
  /** By how it begins, its hash, or the key itself. */
  revoke(key: string): Promise<KeyView>;
  /** What was asked with one key, day by day. */
  usageOf(key: string): Promise<UsageView>;
  /** What was asked with each. */
  allUsage(): Promise<readonly KeyUsageView[]>;
}
