import type { DnsReport } from './dns-sightings.ts';
import type { FileReport } from './verification-file.ts';
import type { Publication } from './verification-token.ts';

/** What an owner can do if the token was not found. */
export function remedyOf(publish: Publication, { zone, sightings }: DnsReport, file: FileReport): string {
  const advice = [
    `Publish the TXT record ${publish.dns.name} with the value ${publish.dns.value}, ` +
      `or serve ${publish.file.url} with that value as a line of its own. Then check again.`,
  ];
  if (sightings.some(({ outcome }) => outcome === 'no-record' || outcome === 'no-such-name')) {
    advice.push('A record that was added just now needs time to be seen everywhere: minutes, sometimes hours.');
  }
  if (sightings.some(({ values }) => values?.some((value) => value.includes('aiwi-verify=')))) {
    advice.push('The record holds another token: only the one that was issued last counts.');
  }
  if (zone === null && sightings.every(({ outcome }) => outcome === 'timeout' || outcome === 'unreachable')) {
    advice.push('No DNS server answered; if this network lets none through, name its own with --resolver.');
  }
  if (file.outcome === 'redirect-refused') {
    advice.push('The file may redirect three times at most, over https, within the registrable domain.');
  }
  return advice.join(' ');
}
