import { type Recovery, TidingsError } from './tidings-error.ts';

/** The scripts of a page could not be run to a usable result. Its static HTML is not affected. */
export class RenderError extends TidingsError {
  override readonly name: string = 'RenderError';
  readonly recovery: Recovery = 'retry-later';
  readonly url: URL;

  constructor(url: URL, reason: string, cause?: unknown) {
    super(`${url.href} could not be rendered: ${reason}. What it says without its scripts can still be read.`, {
      cause,
    });
    this.url = url;
  }
}

/** No renderer is installed. */
export class RendererMissingError extends RenderError {
  override readonly name = 'RendererMissingError';
  override readonly recovery: Recovery = 'fix-config';
}
