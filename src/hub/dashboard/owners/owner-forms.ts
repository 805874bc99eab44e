import type { DomainReport } from '../../../verify/verify-domain.ts';
import { type Html, html, outsideText } from '../../http/html.ts';
import type { EndedForm, Form } from '../form.ts';
import { hidden } from '../pieces.ts';
import { publicationHtml, type TokenPlaces } from './owners-html.ts';

/** The answer of the API for a checked domain. */
type SeenDomain = Omit<DomainReport, 'issuedAt'>;

const domainOf = (fields: URLSearchParams) => ({ domain: fields.get('domain') ?? '' });
const back = () => ({ to: 'owners' });

/** The forms for owners of domains. Their cookie identifies them, and the routes of the API check it. */
export const OWNER_FORMS: readonly Form[] = [
  {
    path: '/owners/token',
    does: 'POST /api/v1/owners/token',
    bodyOf: domainOf,
    end: ({ answer, root }: EndedForm<TokenPlaces>) => ({
      page: { title: 'Prove a domain', main: publicationHtml(answer, root) },
    }),
    done: 'This is to be published.',
  },
  {
    path: '/owners/check',
    does: 'POST /api/v1/owners/check',
    bodyOf: domainOf,
    end: ({ answer, root }: EndedForm<SeenDomain>) =>
      answer.verified ? { to: 'owners' } : { page: { title: 'Not proven yet', main: reportHtml(answer, root) } },
    done: 'The domain is proven, for an hour.',
  },
  {
    path: '/owners/sources/:id/pause',
    does: 'POST /api/v1/owners/sources/:id/pause',
    end: back,
    done: 'The source is paused. The operator of the hub is told.',
  },
  {
    path: '/owners/sources/:id/resume',
    does: 'POST /api/v1/owners/sources/:id/resume',
    end: back,
    done: 'The source is checked again.',
  },
  {
    path: '/owners/sources/:id/interval',
    does: 'POST /api/v1/owners/sources/:id/interval',
    bodyOf: (fields) => ({ intervalSeconds: Number(fields.get('seconds') ?? '') }),
    end: back,
    done: 'The source has another rhythm.',
  },
  {
    path: '/owners/sources/:id/remove',
    does: 'DELETE /api/v1/owners/sources/:id',
    end: back,
    done: 'The source is not watched any more. The operator of the hub is told.',
  },
];

const MAX_REASON = 300;

/** What was found in place of the token. */
function reportHtml({ domain, dns, file, remedy }: SeenDomain, root: string): Html {
  return html`<h1>${outsideText(domain, 260)} is not proven yet</h1>
<p>${outsideText(remedy ?? '', 1000)}</p>
<table>
<caption>What was seen.</caption>
<thead><tr><th scope="col">Where</th><th scope="col">Outcome</th></tr></thead>
<tbody>
${dns.sightings.map(({ server, host, outcome, values = [] }) => html`<tr><td>DNS: ${outsideText(host ?? server)}</td><td>${outcome}${values.map((value) => html`<p class="faint">${outsideText(value)}</p>`)}</td></tr>\n`)}<tr><td>File: ${outsideText(file.url, MAX_REASON)}</td><td>${file.outcome}<p class="faint">${outsideText(file.reason ?? '', MAX_REASON)}</p></td></tr>
</tbody>
</table>
<form class="actions" method="post" action="${root}owners/check">${hidden('domain', domain)}<button class="main">Look again</button></form>
<form class="actions" method="post" action="${root}owners/token">${hidden('domain', domain)}<button>Show what to publish</button> <a href="${root}owners">Back</a></form>`;
}
