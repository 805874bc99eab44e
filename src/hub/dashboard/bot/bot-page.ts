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
  userAgent: { type: 'string', description: 'As it is sent.' },
  productToken: { type: 'string', description: 'The name by which a robots.txt addresses the crawler.' },
  cooldownSeconds: { type: 'number', description: 'Between two pages of a host, at least.' },
  'contact?': { type: 'string' },
  'host?': { type: 'string' },
  'requests?': listSchema(
    objectSchema({ time: TIME, path: { type: 'string' }, 'status?': { type: 'integer' }, bytes: WHOLE_SCHEMA }),
  ),
  since: { ...TIME, description: 'Nothing is remembered from before.' },
});

/** What the crawler is, for those whose sites it visits: how it behaves, how to stop it, what it asked them for. */
export function botPageView({ watch, journal, config }: BotPageParts): View<BotFacts> {
  const { botUrl, contact, cooldownMs = COOLDOWN_MS } = config;
  return {
    path: '/bot',
    summary: 'The crawler of the hub: its name, its manners, and what it asked a host for lately.',
    parameters: [
      {
        name: 'host',
        in: 'query',
        description: 'A host that is watched: its newest requests are shown.',
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

  /** What a private hub watches is for those whom it knows, and for who owns it. */
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

/** Whether a source is on a host, or on another one of its owner's. Most are told apart without a look at the list of suffixes. */
function isOn({ config }: WatchedSource, host: string): boolean {
  const [hostname = ''] = host.split(/:\d+$/);
  const ending = hostname.split('.').slice(-2).join('.');
  return namedAddresses(config).some(
    (address) => address.includes(ending) && isSameOwner(new URL(address).hostname, hostname),
  );
}
