import { BadResponseError, ConnectionError, DnsError, TlsError } from '../../errors/fetch-error.ts';

/** By the `code` or name of the error, or of its causes. HPE: the HTTP parser. EAI: getaddrinfo. */
const KINDS: readonly (readonly [RegExp, new (url: URL, cause: unknown) => ConnectionError])[] = [
  [/^(?:ENOTFOUND|ENODATA|EAI_\w+)$/, DnsError],
  [/^(?:HPE_\w+|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, BadResponseError],
  [
    /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA|PATH_LENGTH|EPROTO$)/,
    TlsError,
  ],
];

/** What kept an answer from coming. */
export function connectionErrorOf(url: URL, error: unknown): ConnectionError {
  for (const word of wordsOf(error)) {
    const kind = KINDS.find(([words]) => words.test(word))?.[1];
    if (kind !== undefined) return new kind(url, error);
  }
  return new ConnectionError(url, error);
}

function wordsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error ? [String(error.code)] : [];
  return [...code, error.name, ...wordsOf(error.cause)];
}
