import { CodedError } from './coded-error.ts';

interface Hashes {
  /** Of the file at the target, as hexadecimal digits. */
  readonly there: string;
  /** Of the document that the hub serves. */
  readonly here: string;
}

/** A file that must never change has different bytes at the target. It was left as it is, and nothing that names it was written. */
export function exportDiffersError(target: string, path: string, { there, here }: Hashes): CodedError {
  const message =
    `${path} at ${target} is not what this hub serves under that name, and such a file never changes: ` +
    `there sha256:${there}, here sha256:${here}. It was left as it is, and no head was written. Is that the place of another hub, of another ` +
    '"baseUrl", or of a newer state than this data folder? Export to an empty place, or remove the file if it is damaged.';
  return new CodedError('ExportDiffersError', 'stop', message, { target, path, there, here });
}

interface PlaceAnswer {
  readonly status: number;
  /** The server's error code: `AccessDenied`. */
  readonly code: string | undefined;
}

const REMEDIES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Make the bucket first, or correct its name.',
  InvalidAccessKeyId: 'Look at AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Look at AWS_SECRET_ACCESS_KEY and AWS_REGION.',
  ExpiredToken: 'Get new credentials: AWS_SESSION_TOKEN has ended.',
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  AuthorizationHeaderMalformed: 'Set AWS_REGION to the region of the bucket.',
  PermanentRedirect: 'Set AWS_REGION to the region of the bucket.',
};
const MAY_DO = 'The key must be allowed s3:ListBucket, s3:GetObject and s3:PutObject there.';

/** A bucket refused a request. Written files stay; no head names a missing file. */
export function exportPlaceError(place: string, { status, code }: PlaceAnswer): CodedError {
  const isPassing = status >= 500 || status === 429;
  const remedy = REMEDIES[code ?? ''] ?? (isPassing ? 'Run this again later; it goes on.' : MAY_DO);
  const message = `${place} answered with status ${status}${code === undefined ? '' : ` (${code})`}. ${remedy}`;
  return new CodedError('ExportPlaceError', isPassing ? 'retry-later' : 'fix-input', message, { place, status, code });
}

/** Somebody stopped an export. Written files stay; the next run continues. */
export function exportStoppedError(target: string): CodedError {
  return new CodedError(
    'ExportStoppedError',
    'retry-later',
    `The export to ${target} was stopped. The next run goes on.`,
    {
      target,
    },
  );
}

/** An export that cannot be done as requested. */
export function exportRefusedError(message: string): CodedError {
  return new CodedError('ExportRefusedError', 'fix-config', message);
}
