import { expect, test } from 'vitest';
import { FeedUnreadableError } from '../errors/feed-error.ts';
import {
  BodyEncodingError,
  ConnectionError,
  DeadlineError,
  FetchAbortedError,
  TruncatedBodyError,
} from '../errors/fetch-error.ts';
import { HarvestError } from '../errors/harvest-error.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { agentFeedUnreadError, agentFeedUntrustedError, feedVersionError } from '../errors/source-trouble.ts';
import { brokenFeed } from './feed-outcome.ts';

const URL_OF_FEED = 'https://site.example/feed';
const answered = (status: number) =>
  new FeedUnreadableError(URL_OF_FEED, `answered with status ${status}.`, { status });
const at = new URL(URL_OF_FEED);

test.each([
  ['a 404', answered(404), 'gone'],
  ['a 410', answered(410), 'gone'],
  ['a list that is gone', new HarvestError(URL_OF_FEED, 'HTTP-404', 'It is not there.'), 'gone'],
  ['a page in its place', new FeedUnreadableError(URL_OF_FEED, 'is no feed.'), 'invalid'],
  ['a list that cannot be parsed', new HarvestError(URL_OF_FEED, 'RS-X1', 'It is no XML.'), 'invalid'],
  ['bytes that cannot be decoded', new BodyEncodingError(at, 'bad gzip'), 'invalid'],
  ['another version', feedVersionError(URL_OF_FEED, '9.0'), 'invalid'],
  ['a 500', answered(500), 'unanswered'],
  ['a 429', answered(429), 'unanswered'],
  ['a 401', answered(401), 'unanswered', { isRefused: true }],
  ['a 403', answered(403), 'unanswered', { isRefused: true }],
  ['a list with status 503', new HarvestError(URL_OF_FEED, 'HTTP-503', 'It answered 503.'), 'unanswered'],
  ['nobody there', new ConnectionError(at, 'refused'), 'unanswered'],
  ['a cut answer', new TruncatedBodyError(at, 'reset'), 'unanswered'],
  ['no end', new DeadlineError(at, 1000), 'unanswered'],
  ['signed words that could not be had whole', agentFeedUnreadError(URL_OF_FEED, 'no key'), 'unanswered'],
])('%s', (_, error, is, more?: object) => {
  expect(brokenFeed(error)).toEqual({ is, why: error.message, ...more });
});

test.each([
  ['a feed that its origin ended', agentFeedUntrustedError(URL_OF_FEED, { status: 'terminated', remedy: 'retrust' })],
  ['a breaker', new SafetyStopError('Too much is gone.', [])],
  ['a bad setting', new SettingRefusedError('dialect', 'x', 'Give another.')],
  ['the end of the visit', new FetchAbortedError(at, 'stop')],
  ['a bug', new TypeError('x is not a function')],
])('%s says nothing of the feed', (_, error) => {
  expect(brokenFeed(error)).toBeUndefined();
});
