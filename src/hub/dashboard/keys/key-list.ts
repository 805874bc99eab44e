import { queryFields, wholeNumberText } from '../../routes/query-fields.ts';
import { KEY_USAGE, viewKeyUsage } from '../../routes/usage-view.ts';
import type { View } from '../view.ts';
import { presentFields } from '../view.ts';
import { listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';
import { type KeyListFacts, type KeySight, usageBars } from './key-facts.ts';
import { KEYS_PAGE, keyListHtml } from './key-html.ts';
import { DAYS_SCHEMA } from './key-schemas.ts';

const MAX_FROM = 1_000_000;

/** The API keys with their usage, newest first. */
export function keyListView({ keys, usage }: KeySight, now: () => number): View<KeyListFacts> {
  return {
    path: '/keys',
    summary: 'API keys and their usage over the last 90 days.',
    role: 'admin',
    parameters: [{ name: 'from', in: 'query', description: 'Number of keys to skip.', schema: WHOLE_SCHEMA }],
    schema: objectSchema({ total: WHOLE_SCHEMA, from: WHOLE_SCHEMA, keys: listSchema(KEY_USAGE), days: DAYS_SCHEMA }),
    async read({ query }) {
      const { from = 0 } = queryFields({ from: wholeNumberText(0, MAX_FROM) }, presentFields(query, ['from']));
      const owners = keys.all().filter((record) => keys.newestOf(keys.ownerOf(record))?.hash === record.hash);
      const shown = owners.toReversed().slice(from, from + KEYS_PAGE);
      const used = await Promise.all(shown.map((record) => usage.usageOf(keys.ownerOf(record))));
      return {
        total: owners.length,
        from,
        keys: shown.map((record, at) => viewKeyUsage(record, used[at] ?? [])),
        days: usageBars(used, now()),
      };
    },
    show: (facts, asked) => ({ title: 'API keys', place: 'keys', main: keyListHtml(facts, asked) }),
  };
}
