import { html, outsideText } from '../http/html.ts';
import type { HubResponse } from '../http/route.ts';
import type { HubPage } from './page-frame.ts';

const MAX_DETAIL = 500;

/** What a problem document says, for people. */
export function problemPage({ body, status }: Pick<HubResponse, 'body' | 'status'>): HubPage {
  const { title = 'It did not work', detail = '' } = fieldsOf(body);
  return {
    title,
    main: html`<section class="empty" data-status="${status}">
<h1>${outsideText(title)}</h1>
<p>${outsideText(detail, MAX_DETAIL)}</p>
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
