import { HostPausedError, PageStatusError, RobotsDeniedError } from '../errors/crawl-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { ToolRefusal } from '../errors/tool-refusal.ts';

/** By the permanent name of the error. Error messages quote sites and name files of this machine, so a model gets these sentences instead. */
const SENTENCES: Readonly<Record<string, string>> = {
  RobotsDeniedError: 'The robots.txt of the site forbids it. Choose another page, or ask the operator of the site.',
  HostBusyError: 'The site is being read for a watched source, which goes first. Try again in 5 s.',
  AccessDeniedError: 'The page is not public: it asks for a login or payment, or refuses access. Choose another one.',
  PageGoneError: 'There is no such page (404 or 410). Check the address; discover says what the site offers.',
  NotAPageError: 'What answers there is no page of HTML or text. Choose another address.',
  EmptyPageError: 'The page has no text that can be read; scripts may make it. Choose another one.',
  DnsError: 'The name of the host does not resolve. Check the address.',
  TlsError: 'The host cannot prove who it is: its certificate is not valid. Check the address.',
  ConnectionError: 'The host does not answer. Check the address, or try again later.',
  BadResponseError: 'What answers does not speak HTTP as it should. Check the address, or try again later.',
  TruncatedBodyError: 'The answer of the site was cut short. Try again later.',
  DeadlineError: 'The site took too long. Try again later.',
  FetchAbortedError: 'It was stopped before it was done. Try again.',
  BodyTooLargeError: 'What answers is larger than is read. Choose another page.',
  BodyEncodingError: 'What answers cannot be decoded. Choose another page, or try again later.',
  RedirectRefusedError: 'The address leads where it may not be followed. Name the address that it should lead to.',
  AddressRefusedError:
    'The address is not on the public internet and was not asked. If it is yours, start Tidings with --allow-private, or set "allowPrivate" in the settings of the hub.',
  DocumentRefusedError: 'This is no address of a page. Give one that begins with https:// or http://.',
  UnreadableTargetError: 'Nothing of the site can be read now. Check the address, or try again later.',
  CursorLostError:
    'The log does not reach back to this cursor: it is too old, or of another hub. Changes may be missing in between. Call changes_since without "after"; ids that you know are the same changes.',
  ChangeUnknownError: 'The log knows no such change. changes_since gives ids and addresses as the log has them.',
  SourceUnknownError: 'There is no source of this id. The tool sources gives the ids that there are.',
  SourceExistsError: 'A source of this id is watched already. Give another "id", or none where the site is watched.',
  ReaderLockedError: 'Another reader uses the memory of agent-feeds. Try again in some seconds.',
  LogMissingError: 'There is no log here yet. Somebody has to start the hub, or name its data folder.',
};

const BY_RECOVERY = {
  'retry-later': 'It cannot be done now. Try again later.',
  'fix-input': 'It cannot be done with what was given. Check the arguments.',
  'fix-config': 'The settings of this server do not allow it. Its operator can see more in its log.',
  stop: 'It was stopped for safety. A person has to look first.',
} as const;

/** What the caller of a tool is told about an error: cause and remedy. For a bug, only that there is one. */
export function failureText(error: unknown): string {
  if (error instanceof ToolRefusal) return error.message;
  // The caller's argument is refused, and the message names it.
  if (error instanceof SettingRefusedError) return error.message;
  if (error instanceof HostPausedError)
    return `The site asked for a pause. Try again in ${seconds(error.retryAfterMs)} s.`;
  if (error instanceof PageStatusError) return `The site answered with status ${error.status}. Try again later.`;
  if (error instanceof RobotsDeniedError && error.retryAfterMs !== undefined) {
    return `The robots.txt of the site cannot be read now, which forbids all of it. Try again in ${seconds(error.retryAfterMs)} s.`;
  }
  if (!(error instanceof TidingsError)) return 'The tool failed by a fault of the server. Its log says more.';
  return SENTENCES[error.name] ?? BY_RECOVERY[error.recovery];
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
