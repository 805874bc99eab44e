import { namedKey } from '../../routes/key-admin-routes.ts';
import { KEY_USAGE, viewKeyUsage } from '../../routes/usage-view.ts';
import type { View } from '../view.ts';
import { objectSchema } from '../view-schemas.ts';
import { type KeyFacts, type KeySight, usageBars } from './key-facts.ts';
import { keyHtml } from './key-html.ts';
import { DAYS_SCHEMA } from './key-schemas.ts';

/** One API key: its usage day by day. */
export function keyView({ keys, usage }: KeySight, now: () => number): View<KeyFacts> {
  const description = 'The prefix of the key (dd_live_ and four characters) or its hash.';
  return {
    path: '/keys/:key',
    summary: 'An API key and its daily usage.',
    role: 'admin',
    parameters: [{ name: 'key', in: 'path', required: true, description, schema: { type: 'string' } }],
    schema: objectSchema({ key: KEY_USAGE, days: DAYS_SCHEMA }),
    async read({ params: { key = '' } }) {
      const record = keys.all().find(({ hash }) => hash === key) ?? namedKey(key, keys);
      const used = await usage.usageOf(keys.ownerOf(record));
      return { key: viewKeyUsage(record, used), days: usageBars([used], now()) };
    },
    show: (facts, asked) => ({ title: facts.key.prefix, place: 'keys', main: keyHtml(facts, asked) }),
  };
}
