import type { RenderMode } from '../codecs/aidocument/wire.ts';
import { RenderError } from '../errors/render-error.ts';
import type { LivePage } from './live-page.ts';
import type { Renderer, RenderRequest } from './renderer.ts';

export interface RenderedPage {
  readonly text: string;
  readonly renderMode: RenderMode;
  /** For people: why the page could not be rendered. */
  readonly reason?: string;
}

/** The page after its scripts ran; if that fails, the fetched page with the reason. Text and Markdown have no scripts. */
export async function renderOrFallBack(
  renderer: Renderer,
  page: LivePage,
  limits: Pick<RenderRequest, 'deadlineMs' | 'signal'>,
): Promise<RenderedPage> {
  const { url, text, headers, mediaType } = page;
  if (mediaType !== 'text/html' && mediaType !== 'application/xhtml+xml') return { text, renderMode: 'static' };
  try {
    return { text: await renderer.render({ url, html: text, headers, ...limits }), renderMode: 'rendered' };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { text, renderMode: 'static_after_render_failure', reason: error.message };
  }
}
