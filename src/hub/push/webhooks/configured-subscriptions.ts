import type { SubscriptionEntry } from '../../config/decode-subscriptions.ts';
import { refused } from '../../config/setting-decoders.ts';
import { filterKey } from '../change-filter.ts';
import { decodeSubscriptionWish, type EndpointRules, type SubscriptionWish } from './decode-subscription.ts';
import type { Subscription } from './subscription.ts';
import type { Subscriptions } from './subscriptions.ts';

/** One subscription of the settings, decoded. */
export interface ConfiguredSubscription {
  readonly name: string;
  readonly wish: SubscriptionWish & { readonly url: string };
}

export interface ConfiguredParts {
  readonly engine: { all(): readonly Subscription[] };
  readonly subscriptions: Pick<Subscriptions, 'add' | 'change' | 'rotate' | 'remove'>;
}

/** Throws a SettingRefusedError that names what is wrong. `secretOf` reads the secret file of an entry. */
export async function decodeConfigured(
  entries: readonly SubscriptionEntry[],
  rules: EndpointRules,
  secretOf: (file: string) => Promise<string>,
): Promise<readonly ConfiguredSubscription[]> {
  const names = new Set<string>();
  const decoded: ConfiguredSubscription[] = [];
  for (const [number, { name, secretFile, wish }] of entries.entries()) {
    const at = `subscriptions[${number}]`;
    if (names.has(name)) throw refused(`${at}.name`, name, 'Two have it. Give each a name of its own.');
    names.add(name);
    const secret = secretFile === undefined ? {} : { secret: await secretOf(secretFile) };
    decoded.push({ name, wish: decodeSubscriptionWish({ ...wish, ...secret }, rules, at) });
  }
  return decoded;
}

/**
 * Brings the stored subscriptions in line with the settings: new ones are made, changed ones are updated and keep their place, and those no longer named end.
 * Subscriptions made elsewhere are left alone.
 */
export async function reconcileSubscriptions(
  configured: readonly ConfiguredSubscription[],
  { engine, subscriptions }: ConfiguredParts,
): Promise<void> {
  const known = new Map<string, Subscription>();
  for (const one of engine.all()) if (one.owner.kind === 'config') known.set(one.owner.name, one);
  for (const { name, wish } of configured) {
    const present = known.get(name);
    known.delete(name);
    if (present !== undefined && isSameKind(present, wish)) await renew(present, wish, subscriptions);
    else {
      if (present !== undefined) await subscriptions.remove(present);
      await subscriptions.add(wish, { kind: 'config', name });
    }
  }
  for (const gone of known.values()) await subscriptions.remove(gone);
}

/** If one cannot be turned into the other, it is made anew. */
function isSameKind({ topic, verify }: Subscription, wish: SubscriptionWish): boolean {
  return topic === (wish.topic ?? 'changes') && verify === (wish.verify ?? true);
}

/** Only differences are applied: a start must not end running deliveries, or ask for consent again. */
async function renew(
  present: Subscription,
  wish: ConfiguredSubscription['wish'],
  subscriptions: ConfiguredParts['subscriptions'],
): Promise<void> {
  const { url, filter = {}, format = 'tidings', batch = { max: 1, waitMs: 0 }, label, secret } = wish;
  const { receipts = false, proofs = false } = wish;
  const isChanged =
    present.url !== url ||
    present.form !== format ||
    present.label !== label ||
    (present.receipts ?? false) !== receipts ||
    (present.proofs ?? false) !== proofs ||
    present.batch.max !== batch.max ||
    present.batch.waitMs !== batch.waitMs ||
    filterKey(present.filter) !== filterKey(filter);
  const isFiltered = present.topic === 'changes' ? { filter } : {};
  const edit = { url, format, batch, receipts, proofs, ...isFiltered, ...(label !== undefined && { label }) };
  const changed = isChanged ? await subscriptions.change(present, edit) : present;
  if (secret !== undefined && secret !== changed.secrets[0]?.secret) await subscriptions.rotate(changed, { secret });
}
