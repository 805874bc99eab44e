import { html, outsideText } from '../http/html.ts';
import type { HubResponse } from '../http/route.ts';
import type { HubPage } from './page-frame.ts';

const MAX_DETAIL = 500;

/** Their names in HTTP are no words for people. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'That was not understood',
  403: 'This is not yours to do',
  404: 'There is nothing here',
  409: 'That does not fit what is there',
  429: 'That was too often',
  503: 'The hub cannot do that now',
};

/** What a problem document says, for people, with the way back. */
export function problemPage({ body, status }: Pick<HubResponse, 'body' | 'status'>, root: string): HubPage {
  const { title: said = 'It did not work', detail = '' } = fieldsOf(body);
  const title = TITLES[status] ?? said;
  return {
    title,
    main: html`<section class="empty" data-status="${status}">
<h1>${outsideText(title)}</h1>
<p>${outsideText(detail, MAX_DETAIL)}</p>
<p><a href="${root}">Go to the overview</a></p>
</section>`,
  };
}

function fieldsOf(body: HubResponse['body']): { readonly title?: string; readonly detail?: string } {
  try {
    return typeof body === 'string' ? JSON.parse(body) : {};
  } catch {
    return {};
  }
}
