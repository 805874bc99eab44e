import { formatTime } from '../../../codecs/primitives/time.ts';
import type { SelfServiceSettings } from '../../config/self-service.ts';
import type { FollowRequests } from '../../self-service/follow-requests.ts';
import type { RequestBook } from '../../self-service/request-book.ts';
import { mayAct } from '../../sign-in/viewer.ts';
import type { EndedForm, Form } from '../form.ts';
import { sourceLine } from '../sources/source-line.ts';
import type { View } from '../view.ts';
import { listSchema, objectSchema, SOURCE_LINE_SCHEMA, WHOLE_SCHEMA } from '../view-schemas.ts';
import type { FollowFacts } from './follow-facts.ts';
import { followHtml } from './follow-html.ts';

export interface FollowPageParts {
  /** Absent: the operator takes no requests. */
  readonly requests: Pick<FollowRequests, 'leftToday' | 'followed'> | undefined;
  readonly book: Pick<RequestBook, 'all'>;
  readonly settings: SelfServiceSettings;
  now(): number;
}

const NEWEST = 20;
const TEXT = { type: 'string' };
const SCHEMA = objectSchema({
  isOpen: { type: 'boolean', description: 'Whether the hub accepts requests from anyone.' },
  everyMinutes: WHOLE_SCHEMA,
  perClient: WHOLE_SCHEMA,
  leftToday: WHOLE_SCHEMA,
  followed: WHOLE_SCHEMA,
  most: WHOLE_SCHEMA,
  sources: listSchema(SOURCE_LINE_SCHEMA),
  'requests?': listSchema(
    objectSchema({
      time: { type: 'string', format: 'date-time' },
      url: TEXT,
      client: TEXT,
      'source?': TEXT,
      'reason?': TEXT,
    }),
  ),
});

/** Where anyone may ask for a public site to be followed. */
export function followPageView({ requests, book, settings, now }: FollowPageParts): View<FollowFacts> {
  const { everyMinutes, perClient, most } = settings;
  return {
    path: '/follow',
    summary: 'Request that the hub follows a public site, and see the latest requests.',
    schema: SCHEMA,
    read({ viewer }) {
      const followed = requests?.followed() ?? [];
      const newest = followed.toSorted((left, right) => right.addedAtMs - left.addedAtMs).slice(0, NEWEST);
      return {
        isOpen: requests !== undefined,
        everyMinutes,
        perClient,
        leftToday: requests?.leftToday() ?? 0,
        followed: followed.length,
        most,
        sources: newest.map((source) => sourceLine(source, now())),
        ...(mayAct(viewer, 'operate') && {
          requests: book.all().map(({ atMs, ...rest }) => ({ time: formatTime(atMs), ...rest })),
        }),
      };
    },
    show: (facts, { root }) => ({ title: 'Follow a site', main: followHtml(facts, root) }),
  };
}

export const FOLLOW_FORM: Form = {
  path: '/follow',
  does: 'POST /api/v1/requests',
  bodyOf: (fields) => ({ url: addressIn(fields) }),
  end: ({ answer }: EndedForm<{ readonly source: string }>) => ({ to: `sources/${encodeURIComponent(answer.source)}` }),
  done: 'This site is followed. What changes on it appears here.',
};

/** People leave out what a browser leaves out. */
function addressIn(fields: URLSearchParams): string {
  const typed = (fields.get('url') ?? '').trim();
  return typed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
}
