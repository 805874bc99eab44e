/** A minimal browser: keeps cookies, and sends forms like a page of the hub does. */
export class CookieBrowser {
  readonly #cookies = new Map<string, string>();
  readonly #base: string;

  /** `base`: the address of the hub, with a final slash. */
  constructor(base: string) {
    this.#base = base;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Does not follow redirects. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#keep(await fetch(new URL(path, this.#base), { headers: this.#headers(headers), redirect: 'manual' }));
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams(fields);
    const sent = { 'sec-fetch-site': 'same-origin', ...headers };
    return this.#keep(
      await fetch(new URL(path, this.#base), {
        method: 'POST',
        body,
        headers: this.#headers(sent),
        redirect: 'manual',
      }),
    );
  }

  /** The token in the forms of a page. */
  async formToken(path: string): Promise<string> {
    const html = await (await this.get(path)).text();
    // The form for signing out is at the top of every page.
    return [...html.matchAll(/name="form_token" value="([^"]+)"/g)].at(-1)?.[1] ?? '';
  }

  /** Signs in through the form, and returns the answer. */
  async signIn(token: string, to = ''): Promise<Response> {
    const formToken = await this.formToken('sign-in');
    return this.post('sign-in', { form_token: formToken, token, to });
  }

  /** A form of the hub, sent from a page of this session. */
  async sendForm(path: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.post(path, { form_token: await this.formToken(''), ...fields });
  }

  #headers(headers: Record<string, string>): Record<string, string> {
    return this.#cookies.size === 0 ? headers : { cookie: this.cookie, ...headers };
  }

  #keep(answer: Response): Response {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0\b/.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
}

/** A browser that is signed in with the hub's token. */
export async function signedInBrowser(base: string, token: string): Promise<CookieBrowser> {
  const browser = new CookieBrowser(base);
  const answer = await browser.signIn(token);
  if (answer.status !== 303) throw new Error(`Signing in was answered ${answer.status}.`);
  return browser;
}
