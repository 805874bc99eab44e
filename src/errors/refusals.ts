/** Requests and settings that do not make sense. Nothing was done. */

import { CodedError } from './coded-error.ts';
import type { Recovery } from './tidings-error.ts';

/** The base URL given with `--site` cannot be the URL of a published site. */
export function siteRefusedError(site: string, why: string): CodedError {
  return new CodedError('SiteRefusedError', 'fix-config', `--site ${site} is refused: ${why}`, { site });
}

/** A document cannot be made: the URL is not a web URL, or options exclude each other. */
export function documentRefusedError(message: string): CodedError {
  return new CodedError('DocumentRefusedError', 'fix-config', message);
}

/** A source cannot be followed: its URL or its starting point does not make sense. */
export function followRefusedError(message: string): CodedError {
  return new CodedError('FollowRefusedError', 'fix-config', message);
}

/** A list of sources is unreadable as a whole. Nothing from it was added. */
export function importRefusedError(file: string, reason: string): CodedError {
  return new CodedError('ImportRefusedError', 'fix-input', `${file}: ${reason} Nothing was added.`, { file });
}

/** The limit of simultaneous previews is reached. */
export function previewBusyError(most: number): CodedError {
  const message = `${most} previews are made at this moment, and no more are at a time. Try again in a few seconds.`;
  return new CodedError('PreviewBusyError', 'retry-later', message);
}

/** The limit of simultaneous site checks is reached. */
export function checksBusyError(most: number): CodedError {
  const message = `${most} sites are being checked at this moment, and no more are at a time. Try again in a minute.`;
  return new CodedError('ChecksBusyError', 'retry-later', message);
}

/** A hub checks only the sites that it watches. */
export function siteUnwatchedError(url: string): CodedError {
  const message = `No source of this hub is at ${url}, and it checks no other site. Run for it: npx tidings check ${url}`;
  return new CodedError('SiteUnwatchedError', 'fix-input', message, { url });
}

/** A text is not a domain that somebody can own. */
export function domainRefusedError(domain: string, reason: string): CodedError {
  return new CodedError('DomainRefusedError', 'fix-config', `"${domain}" cannot be verified: ${reason}`, { domain });
}

/** No token was issued for the domain, so there is nothing to look for yet. */
export function noTokenError(domain: string, store: string): CodedError {
  const remedy = `Run first: tidings verify-domain ${domain} --issue (tokens are kept in ${store}; --state names another folder).`;
  return new CodedError('NoTokenError', 'fix-config', `No token was issued for ${domain} yet. ${remedy}`, { domain });
}

/** No valid API key has this name. */
export function apiKeyUnknownError(key: string): CodedError {
  const message = `No API key that counts is called "${key}". The list of keys shows how they begin, and which were revoked.`;
  return new CodedError('ApiKeyUnknownError', 'fix-input', message, { key });
}

/** Several API keys begin with the given text, but it must name one. */
export function apiKeyAmbiguousError(key: string, hashes: readonly string[]): CodedError {
  const message = `${hashes.length} API keys begin with "${key}". Name one by its hash: ${hashes.join(', ')}.`;
  return new CodedError('ApiKeyAmbiguousError', 'fix-input', message, { key, hashes });
}

/** No change in a log matches the request. `at`: only changes up to that time were asked for. */
export function changeUnknownError(target: string, place: string, at?: string): CodedError {
  const remedy = 'Give the id of a change, or the address of a page as the log has it: tidings log shows them.';
  const until = at === undefined ? '' : ` up to ${at}`;
  const message = `The log in ${place} knows no change "${target.slice(0, 300)}"${until}. ${remedy}`;
  return new CodedError('ChangeUnknownError', 'fix-input', message, { target, place });
}

export function noSuchChangeError(id: string): CodedError {
  const message = `This hub has no change "${id.slice(0, 100)}". Look for it on the page of its source, or in its timeline.`;
  return new CodedError('ChangeUnknownError', 'fix-input', message, { id });
}

/** Retention has moved a change from the log into an archive. `archive`: its path below the hub; absent if none is kept. */
export function changeCutError(id: string, archive: string | undefined): CodedError {
  const place = archive === undefined ? 'and no archive of this hub has it' : `and stands in the archive ${archive}`;
  return new CodedError('ChangeCutError', 'fix-input', `The change ${id} is no longer in the log, ${place}.`, {
    id,
    archive,
  });
}

/** A source with this id is already watched. */
export function sourceExistsError(source: string): CodedError {
  const message = `There is a source "${source}" already. Choose another id, or remove that source first.`;
  return new CodedError('SourceExistsError', 'fix-input', message, { source });
}

/** No source with this id is watched. */
export function sourceUnknownError(source: string): CodedError {
  const message = `There is no source "${source}". The list of sources shows the ids that there are.`;
  return new CodedError('SourceUnknownError', 'fix-input', message, { source });
}

/** The holder of a key already watches as many sources as the key allows. */
export function sourceQuotaError(most: number): CodedError {
  const message = `A key is good for ${most} sources of its own, and this one has them. Remove one first.`;
  return new CodedError('SourceQuotaError', 'fix-input', message, { most });
}

/** The hub paused a source that belongs to a key; only the admin of the hub can resume it. */
export function sourceHeldError(source: string, reason: string): CodedError {
  const message = `The source "${source}" was paused by the hub: ${reason}. Only its admin can change that.`;
  return new CodedError('SourceHeldError', 'fix-input', message, { source });
}

/** The proof of a domain was checked again and is missing. */
export function ownerActRefusedError(domain: string, remedy: string): CodedError {
  const message = `${domain} is not proven any more, and nothing was removed. ${remedy}`;
  return new CodedError('OwnerActRefusedError', 'fix-input', message, { domain });
}

/** The config file defines the source: if removed here, it would be back at the next start. */
export function sourceFixedError(source: string, file = 'the config file'): CodedError {
  const message = `The source "${source}" stands in ${file}. Change or remove it there and start the hub again; until then it can be paused.`;
  return new CodedError('SourceFixedError', 'fix-config', message, { source });
}

/** A hub that follows itself would repeat its own changes forever. Nothing was read. */
export function ownFeedError(url: URL): CodedError {
  const message = `${url.href}: this is the hub's own feed, which would repeat itself for ever. Name the sources themselves.`;
  return new CodedError('OwnFeedError', 'fix-config', message, { url });
}

/** A running hub uses the data folder, so no other process may write to it. */
export function hubRunningError(folder: string, cause: unknown): CodedError {
  const message = `A hub is running on ${folder}. Give --hub <its address> and TIDINGS_TOKEN.`;
  return new CodedError('HubRunningError', 'fix-config', message, { folder, cause });
}

/** The hub uses a database that several processes share: a data folder is only a copy, or belongs to another hub. */
export function hubSharedError(): CodedError {
  const message =
    'This hub is kept in a database, and --data names a copy of it, or another hub. Leave --data out to write to the database, or give --hub <the address of a server> and TIDINGS_TOKEN.';
  return new CodedError('HubSharedError', 'fix-config', message);
}

/** An API description cannot be read. Nothing is concluded from that, least of all that something changed. */
export function descriptionError(where: string, reason: string, recovery: Recovery = 'fix-input'): CodedError {
  return new CodedError('DescriptionError', recovery, `${where} could not be compared: ${reason}.`, { where });
}

/** Two descriptions do not yield exactly one delta; `choices` are the operations that could be meant. Nothing was drafted. */
export function migrationError(
  reason: string,
  choices: readonly string[] = [],
  recovery: Recovery = 'fix-input',
): CodedError {
  const message = choices.length === 0 ? reason : `${reason} Name one of: ${choices.join(', ')}.`;
  return new CodedError('MigrationError', recovery, message, { choices });
}

/** The feed was terminated or migrated, which is final. Nothing was written. */
export function feedEndedError(status: string, why: string): CodedError {
  return new CodedError('FeedEndedError', 'stop', `The feed is ${status}, and that is for good: ${why}`, { status });
}

/** The caller has no subscription with this id. */
export function subscriptionUnknownError(subscription: string): CodedError {
  const message = `There is no subscription "${subscription}". The list of subscriptions shows the ids that there are.`;
  return new CodedError('SubscriptionUnknownError', 'fix-input', message, { subscription });
}

/** The state of a subscription does not allow the request. Nothing was sent. */
export function subscriptionStandingError(subscription: string, why: string): CodedError {
  return new CodedError('SubscriptionStandingError', 'fix-input', why, { subscription });
}

/** An API key has reached its limit of subscriptions. */
export function subscriptionQuotaError(most: number): CodedError {
  const message = `This API key has ${most} subscriptions, and may have no more. Delete one that is not needed.`;
  return new CodedError('SubscriptionQuotaError', 'fix-input', message, { most });
}
