import { type Recovery, TidingsError } from './tidings-error.ts';

/** A page's scripts could not be run to a page that may be used. Its static HTML is untouched by that. */
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

/** There is nothing here to render with. */
export class RendererMissingError extends RenderError {
  override readonly name = 'RendererMissingError';
  override readonly recovery: Recovery = 'fix-config';
}
