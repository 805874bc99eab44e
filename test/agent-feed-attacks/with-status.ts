import type { Attack, HonestSite } from '../support/agent-feed-attacks.ts';
import { replaced, whole } from './altered.ts';

export const STATUS: readonly Attack[] = [
  { name: 'terminated', feed: withStatus('terminated'), leaves: [], event: 'terminated', silences: 'for good' },
  {
    name: 'a status that nobody knows',
    feed: withStatus('paused'),
    leaves: [],
    event: 'terminated',
    silences: 'for good',
  },
  { name: 'an empty status', feed: withStatus(''), leaves: [], event: 'terminated', silences: 'for good' },
  { name: 'active in upper case', feed: withStatus('ACTIVE'), leaves: [], event: 'terminated', silences: 'for good' },
  {
    name: 'active and terminated',
    feed: ({ xml }) => replaced(xml, '<af:feed-status>', '<af:feed-status>terminated</af:feed-status><af:feed-status>'),
    leaves: [],
    event: 'terminated',
    silences: 'for good',
  },
  {
    name: 'migrated to another owner',
    feed: migratedTo('https://evil.test/'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to plain http',
    feed: migratedTo('http://x.api.example/'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to a script',
    feed: migratedTo('javascript:alert(1)'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to an address',
    feed: migratedTo('https://127.0.0.1/'),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'migrated to itself',
    feed: (site) => migratedTo(site.url)(site),
    leaves: [],
    event: 'migrated',
    silences: 'for good',
  },
  {
    name: 'a version to come',
    feed: withVersion('1'),
    leaves: [],
    event: 'unsupported-spec-version',
    silences: 'for now',
  },
  {
    name: 'a version of many digits',
    feed: withVersion('99999999999999999999'),
    leaves: [],
    event: 'unsupported-spec-version',
    silences: 'for now',
  },
  whole('a version below 0', (xml) => replaced(xml, 'version>0', 'version>-1')),
  whole('a version in other digits', (xml) => replaced(xml, 'version>0', 'version>٠')),
  whole('no version', (xml) => replaced(xml, /<af:spec-version>.*?<\/af:spec-version>/, '')),
  whole('two versions', (xml) =>
    replaced(xml, '<af:spec-version>', '<af:spec-version>1</af:spec-version><af:spec-version>'),
  ),
  whole('no status', (xml) => replaced(xml, /<af:feed-status>.*?<\/af:feed-status>/, '')),
  whole('a status of another namespace', (xml) => xml.replaceAll('af:feed-status', 'feed-status')),
];

function withStatus(status: string): (site: HonestSite) => string {
  return ({ xml }) => replaced(xml, 'status>active', `status>${status}`);
}

function withVersion(version: string): (site: HonestSite) => string {
  return ({ xml }) => replaced(xml, 'version>0', `version>${version}`);
}

function migratedTo(url: string): (site: HonestSite) => string {
  return (site) =>
    replaced(withStatus('migrated')(site), '  <entry>', `<af:migrated-to>${url}</af:migrated-to><entry>`);
}
