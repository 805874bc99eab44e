import type { DnsSighting, DomainReport, FileReport, Issuance } from '../doors/verify-domain.ts';

/** Where and what to publish, for a person. */
export function instructionsText({ domain, publish, replaced }: Issuance, stateOption: string): string {
  const { dns, file } = publish;
  return `${domain}: a new token was issued${replaced ? '; the earlier one counts no longer' : ''}. Publish it in one of two ways.

As a DNS record:
  name   ${dns.name}
  type   ${dns.type}
  value  ${dns.value}

As a plain text file, over https:
  URL    ${file.url}
  body   ${file.body.trimEnd()}

Then: tidings verify-domain ${domain} --check${stateOption}`;
}

/** What was seen, and from whom. */
export function reportText({ domain, verified, method, dns, file }: DomainReport): string {
  const how = method === 'dns' ? 'by its DNS record' : 'by its file';
  const zone = dns.zone === null && !verified ? ' (the zone’s own servers were not found)' : '';
  return [
    verified ? `${domain} is verified ${how}.` : `${domain} is not verified.`,
    `DNS   ${dns.name} TXT${zone}`,
    ...dns.sightings.map((sighting) => `        ${serverOf(sighting)}: ${outcomeOf(sighting)}`),
    `File  ${file.url}`,
    ...file.asked.slice(1).map((url) => `        leads to ${url}`),
    `        ${fileOutcomeOf(file)}`,
  ].join('\n');
}

function serverOf({ server, role, host }: DnsSighting): string {
  return role === 'authoritative' ? `${host} (${server}, authoritative)` : server;
}

const DNS_OUTCOMES: Readonly<Record<DnsSighting['outcome'], string>> = {
  match: 'the token',
  'other-values': 'other values',
  'no-record': 'no TXT record',
  'no-such-name': 'no such name',
  'not-asked': 'not asked, as it is not a public address (--allow-private)',
  timeout: 'no answer in time',
  'server-failure': 'a server failure',
  refused: 'refuses to answer',
  garbled: 'an answer that makes no sense',
  unreachable: 'cannot be reached',
  'not-awaited': 'not waited for',
};

function outcomeOf({ outcome, values = [] }: DnsSighting): string {
  const shown = values.map((value) => JSON.stringify(value)).join(', ');
  return shown === '' ? DNS_OUTCOMES[outcome] : `${DNS_OUTCOMES[outcome]}: ${shown}`;
}

function fileOutcomeOf({ outcome, reason }: FileReport): string {
  if (outcome === 'match') return 'the token';
  return outcome === 'not-awaited' ? 'not waited for' : (reason ?? outcome);
}
