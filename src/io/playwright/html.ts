import type { CDPSession } from 'playwright-core';

export interface RenderedHtml {
  /** The address of the document that was read. */
  readonly url: string;
  /** Absent when there is more of it than may be. */
  readonly html?: string;
}

/**
 * Runs in a separate world beside the page's scripts, so that nothing redefined by the page is used here.
 *
 * Shadow roots are written out in a copy, in a document where no script runs and nothing is loaded: the children of a host are those of its open shadow root,
 * and a slot becomes its assigned content. With a list instead of recursion: pages may be deep.
 */
const READ_PAGE = String.raw`((maxLength) => {
  for (const unseen of document.querySelectorAll('noscript')) unseen.remove();
  const root = document.documentElement;
  const hasShadow = (element) => element.shadowRoot !== null && element.shadowRoot !== undefined;

  const flatten = () => {
    const quiet = document.implementation.createHTMLDocument('');
    const copy = quiet.importNode(root, false);
    const work = [[root, copy]];
    for (let item = work.pop(); item !== undefined; item = work.pop()) {
      const [source, target] = item;
      for (const child of childrenOf(source)) {
        const isTemplate = child.localName === 'template';
        const made = quiet.importNode(child, isTemplate);
        target.append(made);
        if (child.nodeType === Node.ELEMENT_NODE && !isTemplate) work.push([child, made]);
      }
    }
    return copy;
  };
  const isSlot = (node) => node.localName === 'slot' && node.getRootNode() instanceof ShadowRoot;
  const childrenOf = (node) => {
    const given = isSlot(node) ? node.assignedNodes() : [];
    const children = given.length > 0 ? given : [...(hasShadow(node) ? node.shadowRoot : node).childNodes];
    return children.flatMap((child) => (isSlot(child) ? childrenOf(child) : [child]));
  };

  const needsCopy = [...document.querySelectorAll('*')].some(hasShadow);
  const html = (document.doctype ? '<!DOCTYPE html>\n' : '') + (needsCopy ? flatten() : root).outerHTML;
  return html.length > maxLength ? { url: document.URL } : { url: document.URL, html };
})`;

/** What the page is now. Over `maxLength` characters nothing of it leaves the browser. */
export async function readPageHtml(session: CDPSession, maxLength: number): Promise<RenderedHtml> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'tidings',
  });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `${READ_PAGE}(${maxLength})`,
    contextId: executionContextId,
    returnByValue: true,
  });
  const { value } = result;
  if (!isPageReading(value)) throw new Error(exceptionDetails?.exception?.description ?? 'the page has no document');
  return value;
}

function isPageReading(value: unknown): value is RenderedHtml {
  if (typeof value !== 'object' || value === null || !('url' in value)) return false;
  return typeof value.url === 'string' && (!('html' in value) || typeof value.html === 'string');
}
