import type { Page } from 'playwright-core';

/** Parts of a page that none of our templates writes: foreign text that became markup. */
export async function foreignParts(page: Page): Promise<readonly string[]> {
  return await page.evaluate(`(() => {
    const found = [];
    if (globalThis.hit !== undefined) found.push('ran: ' + globalThis.hit);
    const never = 'script:not([src]), img, iframe, object, embed, base, style, [style], form:not([action]), meta[http-equiv]';
    for (const element of document.querySelectorAll(never)) found.push(element.outerHTML.slice(0, 120));
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        const isAddress = ['href', 'src', 'action', 'formaction', 'xlink:href', 'poster', 'data', 'ping'].includes(name);
        if (name.startsWith('on') || (isAddress && /^\\s*(?:javascript|data|vbscript):/i.test(value))) found.push(name + '=' + value.slice(0, 80));
      }
    }
    return found;
  })()`);
}
