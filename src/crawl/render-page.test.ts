import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { FetchAbortedError } from '../errors/fetch-error.ts';
import { RenderError, RendererMissingError } from '../errors/render-error.ts';
import type { LivePage } from './live-page.ts';
import { renderOrFallBack } from './render-page.ts';
import type { Renderer, RenderRequest } from './renderer.ts';

const PAGE: LivePage = {
  kind: 'page',
  url: new URL('https://site.example/page'),
  status: 200,
  headers: { 'content-type': 'text/html' },
  mediaType: 'text/html',
  text: '<p>static</p>',
  bytesHash: 'x',
  bytesLength: 0,
  fetchedAtMs: 0,
};

clause('AWI-SRC8', 'a page whose scripts ran says rendered, and is rendered from what was fetched', async () => {
  const asked: RenderRequest[] = [];
  const renderer = rendererOf(async (request) => {
    asked.push(request);
    return '<p>drawn</p>';
  });
  const rendered = await renderOrFallBack(renderer, PAGE, { deadlineMs: 1000 });
  expect(rendered).toEqual({ text: '<p>drawn</p>', renderMode: 'rendered' });
  expect(asked).toEqual([{ url: PAGE.url, html: PAGE.text, headers: PAGE.headers, deadlineMs: 1000 }]);
});

clause('AWI-SRC8', 'a page that could not be rendered is the static one, says so, and says why', async () => {
  for (const error of [
    new RenderError(PAGE.url, 'it loops'),
    new RendererMissingError(PAGE.url, 'there is no Chromium'),
  ]) {
    const renderer = rendererOf(() => Promise.reject(error));
    expect(await renderOrFallBack(renderer, PAGE, { deadlineMs: 1000 })).toEqual({
      text: PAGE.text,
      renderMode: 'static_after_render_failure',
      reason: error.message,
    });
  }
});

clause('AWI-SRC8', 'what has no scripts is static, and no browser is started for it', async () => {
  const renderer = rendererOf(() => Promise.reject(new Error('was asked')));
  const page: LivePage = { ...PAGE, mediaType: 'text/markdown' };
  expect(await renderOrFallBack(renderer, page, { deadlineMs: 1000 })).toEqual({
    text: PAGE.text,
    renderMode: 'static',
  });
});

test('a caller who stops gets no page, and a mistake of ours is not hidden behind the static one', async () => {
  for (const error of [new FetchAbortedError(PAGE.url, 'stop'), new TypeError('a bug')]) {
    const renderer = rendererOf(() => Promise.reject(error));
    await expect(renderOrFallBack(renderer, PAGE, { deadlineMs: 1000 })).rejects.toBe(error);
  }
});

function rendererOf(render: Renderer['render']): Renderer {
  return { render, async [Symbol.asyncDispose]() {} };
}
