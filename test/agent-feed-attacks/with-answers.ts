import { gzipSync } from 'node:zlib';
import type { Attack, HonestSite } from '../support/agent-feed-attacks.ts';
import { DID, FEED, type Served } from '../support/agent-feed-origin.ts';

const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));

export const ANSWERS: readonly Attack[] = [
  answered('304 that nobody asked for', FEED, () => ({ status: 304 }), 'feed-unreachable'),
  answered('304 for did.json', DID, () => ({ status: 304 }), 'did-unreachable'),
  answered('206 with a part', FEED, ({ xml }) => ({ status: 206, body: xml }), 'feed-unreachable'),
  answered('203 from a proxy', FEED, ({ xml }) => ({ status: 203, body: xml }), 'feed-unreachable'),
  answered('404 with a feed', FEED, (site) => ({ status: 404, body: site.feedOf([]) }), 'feed-unreachable'),
  answered('500 with a feed', FEED, ({ xml }) => ({ status: 500, body: xml }), 'feed-unreachable'),
  answered(
    '200 with HTML',
    FEED,
    () => ({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in' }),
    'feed-malformed',
  ),
  answered('200 with nothing', FEED, () => ({ body: '' }), 'feed-malformed'),
  answered(
    'a redirect to another host',
    FEED,
    ({ url }) => redirect(url.replace('api.example', 'other.test')),
    'feed-unreachable',
  ),
  answered('a redirect to a sister host', FEED, ({ url }) => redirect(url.replace('//', '//x.')), 'feed-unreachable'),
  answered('a redirect to plain http', FEED, ({ url }) => redirect(url.replace('https', 'http')), 'feed-unreachable'),
  answered(
    'a redirect to a file',
    FEED,
    () => ({ status: 302, headers: { location: 'file:///etc/passwd' } }),
    'feed-unreachable',
  ),
  answered('a redirect in a circle', FEED, ({ url }) => redirect(url), 'feed-unreachable'),
  answered(
    'a redirect of did.json to another host',
    DID,
    ({ url }) => redirect(url.replace('api.example', 'other.test'), DID),
    'did-unreachable',
  ),
  answered(
    'less than it promises',
    FEED,
    ({ xml }) => ({ headers: { 'content-length': String(xml.length + 10), connection: 'close' }, body: xml }),
    'feed-unreachable',
  ),
  answered(
    'more than it promises',
    FEED,
    ({ xml }) => ({ headers: { 'content-length': String(xml.length - 10), connection: 'close' }, body: xml }),
    'feed-unreachable',
  ),
  answered('gzip of 64 MB', FEED, () => ({ headers: { 'content-encoding': 'gzip' }, body: BOMB }), 'feed-unreachable'),
  answered(
    'did.json of 64 MB',
    DID,
    () => ({ headers: { 'content-encoding': 'gzip' }, body: BOMB }),
    'did-unreachable',
  ),
  answered(
    'gzip that is none',
    FEED,
    ({ xml }) => ({ headers: { 'content-encoding': 'gzip' }, body: xml }),
    'feed-unreachable',
  ),
  answered(
    'a kind of compression that nobody knows',
    FEED,
    ({ xml }) => ({ headers: { 'content-encoding': 'evil' }, body: xml }),
    'feed-unreachable',
  ),
  {
    name: 'another charset in the header',
    serve: (site) => site.put(FEED, { headers: { 'content-type': 'text/xml; charset=utf-7' }, body: site.xml }),
  },
];

function answered(name: string, path: string, answer: (site: HonestSite) => Served, event: Attack['event']): Attack {
  return { name, serve: (site) => site.put(path, answer(site)), leaves: [], event };
}

function redirect(origin: string, path = FEED): Served {
  return { status: 302, headers: { location: origin + path } };
}
