import { formatTime } from '../../../codecs/primitives/time.ts';
import { COOLDOWN_MS } from '../../../fetch/polite-client.ts';
import type { RequestJournal } from '../../../fetch/request-journal.ts';
import { isSameOwner } from '../../../fetch/same-site.ts';
import { PRODUCT_TOKEN, userAgentOf } from '../../../fetch/user-agent.ts';
import type { HubConfig } from '../../config/hub-config.ts';
import { namedAddresses } from '../../config/source-address.ts';
import { coversHost } from '../../owners/covered-sources.ts';
import { queryFields } from '../../routes/query-fields.ts';
import type { Viewer } from '../../sign-in/viewer.ts';
import type { WatchedSource } from '../../store/hub-store.ts';
import type { Watch } from '../../watch/watch-port.ts';
import type { View } from '../view.ts';
import { presentFields } from '../view.ts';
import { listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';
import type { BotFacts, RequestLine } from './bot-facts.ts';
import { botHtml } from './bot-html.ts';
import { hostField } from './host-field.ts';

export interface BotPageParts {
  readonly watch: Pick<Watch, 'sources'>;
  readonly journal: Pick<RequestJournal, 'of' | 'sinceMs'>;
  readonly config: Pick<HubConfig, 'botUrl' | 'contact' | 'cooldownMs'> & Partial<Pick<HubConfig, 'access'>>;
}

const TIME = { type: 'string', format: 'date-time' };
const SCHEMA = objectSchema({
  userAgent: { type: 'string', description: 'The User-Agent header that is sent.' },
  productToken: { type: 'string', description: 'The name of the crawler in robots.txt.' },
  cooldownSeconds: { type: 'number', description: 'Minimum time between two pages of a host, in seconds.' },
  'contact?': { type: 'string' },
  'host?': { type: 'string' },
  'requests?': listSchema(
    objectSchema({ time: TIME, path: { type: 'string' }, 'status?': { type: 'integer' }, bytes: WHOLE_SCHEMA }),
  ),
  since: { ...TIME, description: 'Requests before this time are not known.' },
});

/** A page about the crawler for owners of visited sites: how it behaves, how to stop it, what it requested from them. */
export function botPageView({ watch, journal, config }: BotPageParts): View<BotFacts> {
  const { botUrl, contact, cooldownMs = COOLDOWN_MS } = config;
  return {
    path: '/bot',
    summary: "The hub's crawler: its name, its rules, and its recent requests to a host.",
    parameters: [
      {
        name: 'host',
        in: 'query',
        description: 'A watched host, to show the newest requests to it.',
        schema: { type: 'string' },
      },
    ],
    schema: SCHEMA,
    read({ query, viewer }) {
      const { host } = queryFields({ host: hostField }, presentFields(query, ['host']));
      return {
        userAgent: userAgentOf(botUrl),
        productToken: PRODUCT_TOKEN,
        cooldownSeconds: Math.max(cooldownMs, COOLDOWN_MS) / 1000,
        ...(contact !== undefined && { contact }),
        ...(host !== undefined && { host, requests: maySee(viewer, host) ? requestsOf(host) : [] }),
        since: formatTime(journal.sinceMs),
      };
    },
    show: (facts, { root }) => ({ title: 'The crawler', main: botHtml(facts, root) }),
  };

  /** What a private hub watches is shown only to people it knows, and to the owner of the site. */
  function maySee({ role, domains = [] }: Viewer, host: string): boolean {
    if (config.access !== 'private' || role !== undefined) return true;
    return domains.some((domain) => coversHost(domain, host.replace(/:\d+$/, '')));
  }

  function requestsOf(host: string): readonly RequestLine[] {
    const entries = journal.of(host);
    if (entries.length === 0 || !watch.sources().some((source) => isOn(source, host))) return [];
    return entries.map(({ atMs, ...rest }) => ({ time: formatTime(atMs), ...rest }));
  }
}

/** Whether a source is on a host, or on another host of its owner. Most are decided without the list of suffixes. */
function isOn({ config }: WatchedSource, host: string): boolean {
  const [hostname = ''] = host.split(/:\d+$/);
  const ending = hostname.split('.').slice(-2).join('.');
  return namedAddresses(config).some(
    (address) => address.includes(ending) && isSameOwner(new URL(address).hostname, hostname),
  );
}
