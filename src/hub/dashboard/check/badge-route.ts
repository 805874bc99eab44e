import { checkBadge } from '../../../check/forms/badge.ts';
import { reportVerdict } from '../../../check/forms/report-verdict.ts';
import { webUrl } from '../../config/setting-addresses.ts';
import { refused } from '../../config/setting-decoders.ts';
import { answerArtifact } from '../../http/answer-artifact.ts';
import { withProblems } from '../../http/api-problems.ts';
import type { Route } from '../../http/route.ts';
import { smallArtifact } from '../../http/small-answer.ts';
import { queryFields } from '../../routes/query-fields.ts';
import type { WatchedSiteChecks } from '../../site-checks/site-checks.ts';
import { CHECKED_URL } from './check-page.ts';

const SVG_TYPE = 'image/svg+xml';

/** The verdict as a picture, for a page of the publisher. */
export function checkBadgeRoute(checks: Pick<WatchedSiteChecks, 'check'>): Route {
  return {
    method: 'GET',
    path: '/check/badge.svg',
    access: 'open',
    isMetered: true,
    summary: 'A badge that shows whether the change feeds of a watched site are valid.',
    parameters: [{ ...CHECKED_URL, required: true }],
    responses: {
      200: 'The badge.',
      304: 'Not modified.',
      400: 'The url is missing or malformed.',
      404: 'No source of this hub is at that address.',
      503: 'Too many sites are being checked.',
    },
    answer: { mediaType: SVG_TYPE },
    handle: withProblems(async (request) => {
      const { url } = queryFields({ url: webUrl }, request.query);
      if (url === undefined) throw refused('url', undefined, 'Give the address of a watched source.');
      const { report } = await checks.check(url);
      const picture = String(checkBadge(report === undefined ? 'unknown' : reportVerdict(report)));
      const headers = { 'content-security-policy': "default-src 'none'" };
      return answerArtifact(request, {
        ...smallArtifact(picture, SVG_TYPE, headers),
        cacheControl: 'public, max-age=300',
      });
    }),
  };
}
