import { HostBusyError, HostPausedError, RobotsDeniedError } from '../../errors/crawl-error.ts';
import { LogFullError, LogUnavailableError } from '../../errors/log-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { problem } from './problem.ts';
import type { HubRequest, HubResponse } from './route.ts';

/** By the permanent name of the error. */
const STATUSES: Readonly<Record<string, number>> = {
  SettingRefusedError: 400,
  DocumentRefusedError: 400,
  SourceUnknownError: 404,
  SourceExistsError: 409,
  SourceFixedError: 409,
  SourceHeldError: 409,
  SourceQuotaError: 403,
  DomainRefusedError: 400,
  OwnerActRefusedError: 403,
  ApiKeyUnknownError: 404,
  ApiKeyAmbiguousError: 409,
  SubscriptionUnknownError: 404,
  SubscriptionStandingError: 409,
  SubscriptionQuotaError: 403,
  ChangeUnknownError: 404,
  ChangeCutError: 410,
  CursorLostError: 410,
  NoReceiptError: 422,
  ReceiptPendingError: 503,
  RobotsDeniedError: 403,
  AccessDeniedError: 403,
  AddressRefusedError: 403,
  PageGoneError: 404,
  NotAPageError: 415,
  EmptyPageError: 422,
  PageStatusError: 502,
  PaymentError: 502,
  ConnectionError: 502,
  DnsError: 502,
  TlsError: 502,
  BadResponseError: 502,
  TruncatedBodyError: 502,
  RedirectRefusedError: 502,
  BodyTooLargeError: 502,
  BodyEncodingError: 502,
  DigestMismatchError: 502,
  FetchAbortedError: 503,
  DeadlineError: 504,
  PreviewBusyError: 503,
  ChecksBusyError: 503,
  SiteUnwatchedError: 404,
  ReplicaBehindError: 503,
  NotTheProjectorError: 503,
  ImportRefusedError: 400,
};

const RETRY_AFTER_MS = 30_000;

type Handle = (request: HubRequest) => HubResponse | Promise<HubResponse>;

/** Errors thrown on purpose become problem documents; a bug is thrown on. */
export function withProblems(handle: Handle): (request: HubRequest) => Promise<HubResponse> {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      return { ...tidingsProblem(error), error };
    }
  };
}

export function tidingsProblem(error: TidingsError): HubResponse {
  const { name: code, message: detail } = error;
  // Their messages name files of this machine.
  if (error instanceof LogFullError || error instanceof LogUnavailableError) {
    return tryLater({ code, detail: 'The hub cannot write to its disk; nothing of this was kept. Reads go on.' });
  }
  if (error instanceof HostPausedError || error instanceof HostBusyError)
    return tryLater({ code, detail }, error.retryAfterMs);
  // An unreadable robots.txt may be readable later; one that forbids stays in force until it changes.
  if (error instanceof RobotsDeniedError && error.retryAfterMs !== undefined) {
    return tryLater({ code, detail }, error.retryAfterMs);
  }
  const status = STATUSES[code];
  const setting = error instanceof SettingRefusedError ? { setting: error.setting } : {};
  if (status !== undefined) return problem({ status, detail, code, ...setting });

  const unsaid = { code, detail: `The hub could not do it (${code}); its own log says more.` };
  return error.recovery === 'retry-later' ? tryLater(unsaid) : problem({ status: 500, ...unsaid });
}

function tryLater(
  said: { readonly code: string; readonly detail: string },
  retryAfterMs = RETRY_AFTER_MS,
): HubResponse {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return problem({ status: 503, ...said }, { 'retry-after': String(seconds) });
}
