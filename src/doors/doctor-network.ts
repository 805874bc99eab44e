import { HostPausedError, RobotsDeniedError } from '../errors/crawl-error.ts';
import { AddressRefusedError, DnsError, FetchError, TlsError } from '../errors/fetch-error.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import { readAuthority } from '../io/files/authority.ts';
import { portState, resolveName } from '../io/node/node-machine.ts';
import { createHubClient } from '../io/undici/hub-client.ts';
import { isPublicAddress } from '../io/undici/public-address.ts';
import { type Diagnosis, doubtful, fail, messageOf, well } from './diagnosis.ts';
import { openPolite } from './open-http.ts';

const DNS_TIMEOUT_MS = 5000;
const ANSWER_TIMEOUT_MS = 3000;
const NAMES_TRIED = 3;

/** Whether the hub can listen on its port, or already does. */
export async function examinePort({ host, port }: HubConfig, isHubRunning: boolean): Promise<Diagnosis> {
  if (port === 0) return well('port', 'Any that is free is taken.');
  const place = `${host}:${port}`;
  const state = await portState(host, port);
  switch (state) {
    case 'free':
      return isHubRunning
        ? doubtful(
            'port',
            `${place} is free, though a hub runs on the data folder.`,
            'It listens elsewhere: see how it was started.',
          )
        : well('port', `${place} is free.`);
    case 'EADDRINUSE':
      return await examineTaken(place, isHubRunning);
    case 'EACCES':
      return fail('port', `This user may not listen on ${place}.`, 'Take a port above 1023, and a proxy in front.');
    case 'EADDRNOTAVAIL':
      return fail(
        'port',
        `${host} is no address of this machine.`,
        'Set host to one that it has: 127.0.0.1, 0.0.0.0, ::.',
      );
    default:
      return fail('port', `Listening on ${place} fails (${state}).`, 'Set host and port otherwise.');
  }
}

async function examineTaken(place: string, isHubRunning: boolean): Promise<Diagnosis> {
  const authority = place.replace(/^0\.0\.0\.0:/, '127.0.0.1:').replace(/^(.*:.*):(\d+)$/, '[$1]:$2');
  await using client = createHubClient({ hub: `http://${authority}/` });
  let answer: unknown;
  try {
    answer = await client.ask({ method: 'GET', path: 'healthz', deadlineMs: ANSWER_TIMEOUT_MS });
  } catch {
    answer = undefined;
  }
  const { ok, writable } = (answer ?? {}) as { readonly ok?: unknown; readonly writable?: unknown };
  if (ok !== true) return fail('port', `${place} is taken by another program.`, 'Stop it, or set another port.');
  if (!isHubRunning) {
    return fail('port', `A hub answers at ${place}, but not one on this data folder.`, 'Stop it, or set another port.');
  }
  if (writable === false) return fail('port', `The hub at ${place} cannot write its disk.`, 'Its log says why.');
  return well('port', `The hub that runs answers at ${place}.`);
}

/** Whether the host names of the first sources resolve. */
export async function examineDns(sources: readonly SourceConfig[]): Promise<Diagnosis> {
  const names = [...new Set(sources.flatMap(hostsOf))].slice(0, NAMES_TRIED);
  if (names.length === 0) return well('dns', 'No source has a name to resolve. Try one with --url.');
  const found = await Promise.all(names.map(async (name) => [name, await resolveName(name, DNS_TIMEOUT_MS)] as const));
  const failed = found.flatMap(([name, { ...result }]) =>
    result.is === 'failed' ? [`${name}: ${result.because}`] : [],
  );
  if (failed.length === 0) return well('dns', `${names.join(', ')} resolve.`);
  const remedy = 'Look at /etc/resolv.conf, the network of the container, or the spelling of the source.';
  return failed.length === names.length
    ? fail('dns', `No name resolves (${failed.join('; ')}).`, remedy)
    : doubtful('dns', `Not all names resolve (${failed.join('; ')}).`, remedy);
}

function hostsOf(source: SourceConfig): string[] {
  if (source.kind === 'folder') return [];
  const urls = source.kind === 'page' ? source.urls.slice(0, 1) : [source.url];
  return urls.map((url) => new URL(url).hostname).filter((host) => !isLiteral(host) && host !== 'localhost');
}

function isLiteral(host: string): boolean {
  return host.startsWith('[') || /^[\d.]+$/.test(host);
}

export async function examineAuthority(ca: string | undefined): Promise<Diagnosis | undefined> {
  if (ca === undefined) return undefined;
  try {
    await readAuthority(ca);
    return well('ca', `${ca} holds certificates.`);
  } catch (error) {
    return fail('ca', messageOf(error), 'Name a PEM file that this user can read.');
  }
}

type WayOut = Pick<HubConfig, 'allowPrivate' | 'ca' | 'botUrl' | 'cooldownMs'> & { readonly signal: AbortSignal };

/** Fetches one page step by step, in the way the hub does. */
export async function* tryUrl(url: URL, { signal, ...options }: WayOut): AsyncGenerator<Diagnosis> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const resolved = await resolveName(host, DNS_TIMEOUT_MS);
  if (resolved.is === 'failed') {
    yield fail('url: name', `${host} does not resolve (${resolved.because}).`, 'See whether it is spelled right.');
    return;
  }
  yield well('url: name', `${host} is ${resolved.addresses.join(', ')}.`);
  const refused = options.allowPrivate ? undefined : resolved.addresses.find((address) => !isPublicAddress(address));
  if (refused !== undefined) {
    yield fail('url: address', `${refused} is not a public address.`, 'Set allowPrivate if it is yours.');
    return;
  }
  yield well('url: address', options.allowPrivate ? 'Private addresses are allowed.' : 'It is public.');
  await using ways = await openPolite(options);
  try {
    const answer = await ways.client.get({ url, signal });
    await answer.discard();
    yield well('url: robots', 'robots.txt allows it.');
    if (answer.url.protocol === 'https:') yield well('url: tls', 'The certificate is good.');
    const where = answer.url.href === url.href ? '' : ` at ${answer.url.href}`;
    const says = `It answers with status ${answer.status}${where}.`;
    const isPage = answer.status >= 200 && answer.status < 300;
    yield isPage
      ? well('url: answer', says)
      : doubtful('url: answer', says, 'Only a page that answers 200 can be watched.');
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    yield fail(`url: ${stepOf(error)}`, error.message, remedyOf(error));
  }
}

function stepOf(error: FetchError): string {
  if (error instanceof RobotsDeniedError) return 'robots';
  if (error instanceof TlsError) return 'tls';
  if (error instanceof AddressRefusedError) return 'address';
  if (error instanceof DnsError) return 'name';
  return 'answer';
}

function remedyOf(error: FetchError): string {
  if (error instanceof RobotsDeniedError) return 'Ask its operator, or watch another page.';
  if (error instanceof TlsError) return 'If a proxy or an authority of your own is in between, name it with ca.';
  if (error instanceof HostPausedError) return 'Wait until then.';
  return 'See from this machine with curl -v. A firewall or a proxy may be in between.';
}
