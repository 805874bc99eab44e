import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Alert, AlertEvent } from '../alerts/alert.ts';
import { encodeAlertFeed } from '../alerts/alert-feed.ts';
import { ALERT_EVENT_SCHEMA, ALERT_SCHEMA, viewAlert, viewAlertEvent } from '../alerts/alert-view.ts';
import type { MailStatus } from '../alerts/mail-sender.ts';
import { answerArtifact } from '../http/answer-artifact.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, Route } from '../http/route.ts';
import { JSON_TYPE, smallArtifact, uncachedJson } from '../http/small-answer.ts';
import { limitParameter, queryFields, wholeNumberText } from './query-fields.ts';

export interface AlertRouteParts {
  /** Newest first. */
  open(): readonly Alert[];
  /** Newest first. */
  recent(limit: number): readonly AlertEvent[];
  /** Absent if no mails are sent. */
  mail?(): MailStatus;
  /** The hash of the hub's token, from which the password of the feed is derived. */
  readonly adminHash: string;
  readonly hubId: string;
  baseUrl(): string;
  now(): number;
}

const ALERTS = '/api/v1/alerts';
const FEED = '/alerts.atom';
const FEED_USER = 'alerts';
const FEED_ENTRIES = 100;
const DEFAULT_RECENT = 50;
const MOST_RECENT = 500;
const ATOM_TYPE = 'application/atom+xml';

/** Routes for the alerts of the hub, for its admin. */
export function alertRoutes(parts: AlertRouteParts): Route[] {
  return [listRoute(parts), feedRoute(parts)];
}

function listRoute(parts: AlertRouteParts): Route {
  const feed = { type: 'object', properties: { url: {}, user: {}, password: {} } };
  return {
    method: 'GET',
    path: ALERTS,
    access: 'admin',
    summary: 'List open alerts, and recent starts and ends of alerts.',
    parameters: [limitParameter(MOST_RECENT, DEFAULT_RECENT, 'Maximum number of recent events.')],
    responses: { 200: 'Open alerts, and recent events, newest first.', 400: 'The limit is malformed.' },
    answer: {
      mediaType: JSON_TYPE,
      schema: {
        type: 'object',
        required: ['open', 'recent', 'feed'],
        properties: {
          open: { type: 'array', items: ALERT_SCHEMA },
          recent: { type: 'array', items: ALERT_EVENT_SCHEMA },
          feed: { ...feed, description: 'Address and credentials of /alerts.atom for feed readers.' },
          mail: { type: 'object', description: 'State of alert mails, if enabled.' },
        },
      },
    },
    handle: withProblems(({ query }) => {
      const { limit = DEFAULT_RECENT } = queryFields({ limit: wholeNumberText(1, MOST_RECENT) }, query);
      return uncachedJson(200, {
        open: parts.open().map(viewAlert),
        recent: parts.recent(limit).map(viewAlertEvent),
        feed: { url: parts.baseUrl() + FEED.slice(1), user: FEED_USER, password: feedPassword(parts.adminHash) },
        ...(parts.mail && { mail: parts.mail() }),
      });
    }),
  };
}

/** Alerts name sources and errors that are private, so the feed needs a password. It gives access to nothing else. */
function feedRoute(parts: AlertRouteParts): Route {
  return {
    method: 'GET',
    path: FEED,
    access: 'public-or-admin',
    summary:
      "The newest alerts as an Atom feed. Authenticate with the hub's token, or with HTTP Basic and the password from /api/v1/alerts.",
    responses: { 200: 'The feed.', 304: 'Not modified.', 401: 'The password is missing or wrong.' },
    answer: { mediaType: ATOM_TYPE },
    handle: (request) => {
      if (!request.isAdmin && !hasFeedPassword(request, parts.adminHash)) return passwordMissing();
      const text = encodeAlertFeed(parts.recent(FEED_ENTRIES), {
        baseUrl: parts.baseUrl(),
        hubId: parts.hubId,
        nowMs: parts.now(),
      });
      return answerArtifact(request, { ...smallArtifact(text, ATOM_TYPE), cacheControl: 'private, no-cache' });
    },
  };
}

/** Always the same for one token, and reveals nothing about it. */
function feedPassword(adminHash: string): string {
  return createHmac('sha256', adminHash).update(FEED).digest('base64url');
}

function hasFeedPassword({ headers: { authorization = '' } }: HubRequest, adminHash: string): boolean {
  const [, encoded = ''] = /^basic +([a-z0-9+/=_-]{1,400}) *$/i.exec(authorization) ?? [];
  const given = Buffer.from(encoded, 'base64');
  const expected = Buffer.from(`${FEED_USER}:${feedPassword(adminHash)}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function passwordMissing() {
  const detail =
    'A feed reader sends the user and password that GET /api/v1/alerts names; a program sends the hub’s token.';
  return problem({ status: 401, detail }, { 'www-authenticate': 'Basic realm="tidings alerts", charset="UTF-8"' });
}
