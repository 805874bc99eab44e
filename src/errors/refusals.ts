/** Requests and settings that make no sense as they were given. Nothing was done. */

import { CodedError } from './coded-error.ts';
import type { Recovery } from './tidings-error.ts';

/** The base URL given with `--site` cannot be the address of a published site. */
export function siteRefusedError(site: string, why: string): CodedError {
  return new CodedError('SiteRefusedError', 'fix-config', `--site ${site} is refused: ${why}`, { site });
}

/** A document cannot be made: no URL of the web, or options that exclude each other. */
export function documentRefusedError(message: string): CodedError {
  return new CodedError('DocumentRefusedError', 'fix-config', message);
}

/** A source cannot be followed: an address or a starting point that makes no sense. */
export function followRefusedError(message: string): CodedError {
  return new CodedError('FollowRefusedError', 'fix-config', message);
}

/** A list of sources cannot be read as a whole. Nothing of it was taken. */
export function importRefusedError(file: string, reason: string): CodedError {
  return new CodedError('ImportRefusedError', 'fix-input', `${file}: ${reason} Nothing was added.`, { file });
}

/** As many previews are made as may be at a time. */
export function previewBusyError(most: number): CodedError {
  const message = `${most} previews are made at this moment, and no more are at a time. Try again in a few seconds.`;
  return new CodedError('PreviewBusyError', 'retry-later', message);
}

/** As many sites are checked as may be at a time. */
export function checksBusyError(most: number): CodedError {
  const message = `${most} sites are being checked at this moment, and no more are at a time. Try again in a minute.`;
  return new CodedError('ChecksBusyError', 'retry-later', message);
}

/** A hub checks the sites that it watches, and asks no other for strangers. */
export function siteUnwatchedError(url: string): CodedError {
  const message = `No source of this hub is at ${url}, and it checks no other site. Run for it: npx tidings check ${url}`;
  return new CodedError('SiteUnwatchedError', 'fix-input', message, { url });
}

/** A text is no domain that somebody can own. */
export function domainRefusedError(domain: string, reason: string): CodedError {
  return new CodedError('DomainRefusedError', 'fix-config', `"${domain}" cannot be verified: ${reason}`, { domain });
}

/** No token was issued for the domain: there is nothing to look for yet. */
export function noTokenError(domain: string, store: string): CodedError {
  const remedy = `Run first: tidings verify-domain ${domain} --issue (tokens are kept in ${store}; --state names another folder).`;
  return new CodedError('NoTokenError', 'fix-config', `No token was issued for ${domain} yet. ${remedy}`, { domain });
}

/** No API key that counts is called so. */
export function apiKeyUnknownError(key: string): CodedError {
  const message = `No API key that counts is called "${key}". The list of keys shows how they begin, and which were revoked.`;
  return new CodedError('ApiKeyUnknownError', 'fix-input', message, { key });
}

/** Several API keys begin alike, and one is meant. */
export function apiKeyAmbiguousError(key: string, hashes: readonly string[]): CodedError {
  const message = `${hashes.length} API keys begin with "${key}". Name one by its hash: ${hashes.join(', ')}.`;
  return new CodedError('ApiKeyAmbiguousError', 'fix-input', message, { key, hashes });
}

/** No change of a log is what was asked about. */
export function changeUnknownError(target: string, place: string): CodedError {
  const remedy = 'Give the id of a change, or the address of a page as the log has it: tidings log shows them.';
  const message = `The log in ${place} knows no change "${target.slice(0, 300)}". ${remedy}`;
  return new CodedError('ChangeUnknownError', 'fix-input', message, { target, place });
}

/** A hub has no change of that id. */
export function noSuchChangeError(id: string): CodedError {
  const message = `This hub has no change "${id.slice(0, 100)}". Look for it on the page of its source, or in its timeline.`;
  return new CodedError('ChangeUnknownError', 'fix-input', message, { id });
}

/** Retention has moved a change from the log into an archive. `archive`: where that is, below the hub; absent where none is kept. */
export function changeCutError(id: string, archive: string | undefined): CodedError {
  const place = archive === undefined ? 'and no archive of this hub has it' : `and stands in the archive ${archive}`;
  return new CodedError('ChangeCutError', 'fix-input', `The change ${id} is no longer in the log, ${place}.`, {
    id,
    archive,
  });
}

/** A source of that id is watched already. */
export function sourceExistsError(source: string): CodedError {
  const message = `There is a source "${source}" already. Choose another id, or remove that source first.`;
  return new CodedError('SourceExistsError', 'fix-input', message, { source });
}

/** No source of that id is watched. */
export function sourceUnknownError(source: string): CodedError {
  const message = `There is no source "${source}". The list of sources shows the ids that there are.`;
  return new CodedError('SourceUnknownError', 'fix-input', message, { source });
}

/** Who has a key watches as many sources as it is good for. */
export function sourceQuotaError(most: number): CodedError {
  const message = `A key is good for ${most} sources of its own, and this one has them. Remove one first.`;
  return new CodedError('SourceQuotaError', 'fix-input', message, { most });
}

/** The hub paused a source of somebody's key; only its admin resumes it. */
export function sourceHeldError(source: string, reason: string): CodedError {
  const message = `The source "${source}" was paused by the hub: ${reason}. Only its admin can change that.`;
  return new CodedError('SourceHeldError', 'fix-input', message, { source });
}

/** The proof of a domain was looked for again, and is not there. */
export function ownerActRefusedError(domain: string, remedy: string): CodedError {
  const message = `${domain} is not proven any more, and nothing was removed. ${remedy}`;
  return new CodedError('OwnerActRefusedError', 'fix-input', message, { domain });
}

/** A source stands in the config file: taken away here, it would be back with the next start. */
export function sourceFixedError(source: string, file = 'the config file'): CodedError {
  const message = `The source "${source}" stands in ${file}. Change or remove it there and start the hub again; until then it can be paused.`;
  return new CodedError('SourceFixedError', 'fix-config', message, { source });
}

/** A hub that follows itself would tell its own changes anew for ever. Nothing was read. */
export function ownFeedError(url: URL): CodedError {
  const message = `${url.href}: this is the hub's own feed, which would repeat itself for ever. Name the sources themselves.`;
  return new CodedError('OwnFeedError', 'fix-config', message, { url });
}

/** A hub has the data folder, so nobody else may write to it. */
export function hubRunningError(folder: string, cause: unknown): CodedError {
  const message = `A hub is running on ${folder}. Give --hub <its address> and TIDINGS_TOKEN.`;
  return new CodedError('HubRunningError', 'fix-config', message, { folder, cause });
}

/** The hub runs on a database that several processes share: a data folder is a copy, or another hub's. */
export function hubSharedError(): CodedError {
  const message =
    'This hub is kept in a database, and --data names a copy of it, or another hub. Leave --data out to write to the database, or give --hub <the address of a server> and TIDINGS_TOKEN.';
  return new CodedError('HubSharedError', 'fix-config', message);
}

/** A description of an API cannot be read. Nothing is concluded from it, least of all that something changed. */
export function descriptionError(where: string, reason: string, recovery: Recovery = 'fix-input'): CodedError {
  return new CodedError('DescriptionError', recovery, `${where} could not be compared: ${reason}.`, { where });
}

/** Two descriptions do not give one delta; `choices` are operations that could be meant. Nothing was drafted. */
export function migrationError(
  reason: string,
  choices: readonly string[] = [],
  recovery: Recovery = 'fix-input',
): CodedError {
  const message = choices.length === 0 ? reason : `${reason} Name one of: ${choices.join(', ')}.`;
  return new CodedError('MigrationError', recovery, message, { choices });
}

/** The feed was terminated or migrated, which is for good. Nothing was written. */
export function feedEndedError(status: string, why: string): CodedError {
  return new CodedError('FeedEndedError', 'stop', `The feed is ${status}, and that is for good: ${why}`, { status });
}

/** No subscription of that id is there for who asks. */
export function subscriptionUnknownError(subscription: string): CodedError {
  const message = `There is no subscription "${subscription}". The list of subscriptions shows the ids that there are.`;
  return new CodedError('SubscriptionUnknownError', 'fix-input', message, { subscription });
}

/** A subscription does not stand so that it could be done. Nothing was sent. */
export function subscriptionStandingError(subscription: string, why: string): CodedError {
  return new CodedError('SubscriptionStandingError', 'fix-input', why, { subscription });
}

/** An API key has as many subscriptions as it may have. */
export function subscriptionQuotaError(most: number): CodedError {
  const message = `This API key has ${most} subscriptions, and may have no more. Delete one that is not needed.`;
  return new CodedError('SubscriptionQuotaError', 'fix-input', message, { most });
}
