import { html } from '../../http/html.ts';
import type { View } from '../view.ts';
import { objectSchema } from '../view-schemas.ts';

export interface VerifyPageParts {
  /** Paths of the script that checks receipts and of its style, below the hub. */
  readonly script: string;
  readonly style: string;
}

export interface VerifyFacts {
  /** Where the verifier key of the hub's own log is, below the hub. */
  readonly vkeyPath: string;
}

const VKEY_PATH = '.well-known/tidings/vkey';

/** A receipt is checked in the browser: nothing of it reaches the hub. */
export function verifyPageView({ script, style }: VerifyPageParts): View<VerifyFacts> {
  return {
    path: '/verify',
    summary: 'Verify a receipt in the browser, without any requests.',
    schema: objectSchema({
      vkeyPath: { type: 'string', description: "The path of the verifier key of this hub's log." },
    }),
    read: () => ({ vkeyPath: VKEY_PATH }),
    show: ({ vkeyPath }, { root }) => ({
      title: 'Check a receipt',
      scripts: [script],
      styles: [style],
      main: html`<h1>Check a receipt</h1>
<p>A receipt shows that a change stands in the log of a site or a hub. Your browser checks it here, and sends nothing of it anywhere. The key of the log of this hub is <a href="${root}${vkeyPath}">here</a>; one that somebody else told you, or that you kept from earlier, proves more.</p>
<p class="faint">To check a receipt without this hub, keep the file <code>verify.html</code> of the package, or run <code>tidings verify-receipt receipt.json</code>.</p>
<div id="verifier"><noscript><p class="warning">The check is a script of this page, and scripts are off.</p></noscript></div>`,
    }),
  };
}
