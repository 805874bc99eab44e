import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import type { Viewer } from '../../sign-in/viewer.ts';
import type { HubPage } from '../page-frame.ts';
import { hidden } from '../pieces.ts';

export interface SignInFacts {
  readonly root: string;
  readonly viewer: Viewer;
  /** The next page, relative to the hub. */
  readonly to: string;
  readonly formToken: { readonly name: string; readonly value: string };
  /** The name of the team's provider, if there is one. */
  readonly provider?: string | undefined;
  /** Why it did not work. */
  readonly trouble?: string;
}

/** Where people sign in. */
export function signInPage(facts: SignInFacts): HubPage {
  const { root, viewer, to, formToken, trouble, provider } = facts;
  return {
    title: 'Sign in',
    main: html`<div class="sign-in">
<h1>Sign in</h1>
${trouble === undefined ? NO_HTML : html`<p class="trouble" role="alert">${trouble}</p>\n`}${signedIn(viewer, root, to)}${teamLink(provider, root, to)}<form method="post" action="${root}sign-in">
${hidden(formToken.name, formToken.value)}${hidden('to', to)}
<label for="token">The hub's admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required spellcheck="false">
<p class="faint">The hub showed it when it was first started; it is what <code>TIDINGS_TOKEN</code> says where that is set.</p>
<button class="main">Sign in</button>
</form>
</div>`,
  };
}

function teamLink(provider: string | undefined, root: string, to: string): Html {
  if (provider === undefined) return NO_HTML;
  const query = to === '' ? '' : `?to=${encodeURIComponent(to)}`;
  return html`<p><a class="button main" href="${root}sign-in/oidc${query}">Sign in with ${provider}</a></p>
<h2>Or with the hub's token</h2>
`;
}

function signedIn({ role, name = '' }: Viewer, root: string, to: string): Html {
  if (role === undefined) return NO_HTML;
  return html`<p>You are signed in as ${outsideText(name)}. <a href="${root}${to}">Go on</a>, or sign in as somebody else.</p>\n`;
}
