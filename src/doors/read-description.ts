import { MAX_DESCRIPTION_BYTES } from '../codecs/api-description/decode-description.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { descriptionError } from '../errors/refusals.ts';
import { readBytes } from '../fetch/read-text.ts';
import { readPageFile } from '../io/files/page.ts';
import { type HttpOptions, openHttp } from './open-http.ts';

export interface ReadDescriptionOptions extends HttpOptions {
  readonly signal?: AbortSignal;
}

/** Reads a file (`-`: standard input), or the answer of an https URL. Never returns a truncated text. */
export async function readDescriptionText(where: string, options: ReadDescriptionOptions): Promise<string> {
  const isUrl = /^https?:\/\//i.test(where) && canParseUrl(where);
  const bytes = isUrl
    ? await fetchDescription(new URL(where), options)
    : await readPageFile(where, { maxBytes: MAX_DESCRIPTION_BYTES });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw descriptionError(where, 'it is not UTF-8');
  }
}

async function fetchDescription(url: URL, { signal, ...options }: ReadDescriptionOptions): Promise<Uint8Array> {
  if (url.protocol === 'http:' && options.allowPrivate !== true) {
    throw descriptionError(url.href, 'give an https URL; what plain http answers could be from anybody', 'fix-config');
  }
  await using http = await openHttp(options);
  const response = await http.get({
    url,
    maxBodyBytes: MAX_DESCRIPTION_BYTES,
    ...(signal !== undefined && { signal }),
  });
  if (response.status === 200) return await readBytes(response, { maxBytes: MAX_DESCRIPTION_BYTES });
  await response.discard();
  throw descriptionError(url.href, `it answered with status ${response.status}`, 'retry-later');
}
