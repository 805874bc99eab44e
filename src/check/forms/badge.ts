import { type Html, html } from '../../hub/http/html.ts';
import type { ReportVerdict } from './report-verdict.ts';

const LABEL = 'change feeds';
const LABEL_WIDTH = 90;
const HEIGHT = 20;

/** White text on these has a contrast of at least 4.5. */
const LOOKS: Readonly<Record<ReportVerdict, { readonly colour: string; readonly width: number }>> = {
  passing: { colour: '#116329', width: 58 },
  warnings: { colour: '#7d4e00', width: 66 },
  failing: { colour: '#a40e26', width: 50 },
  unknown: { colour: '#59636e', width: 64 },
};

/** An SVG badge of a verdict. Nothing in it comes from the site, so nothing can be injected. */
export function checkBadge(verdict: ReportVerdict): Html {
  const { colour, width } = LOOKS[verdict];
  const whole = LABEL_WIDTH + width;
  const words = `${LABEL}: ${verdict}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-label="${words}">
<title>${words}</title>
<rect width="${LABEL_WIDTH}" height="${HEIGHT}" fill="#3d444d"/>
<rect x="${LABEL_WIDTH}" width="${width}" height="${HEIGHT}" fill="${colour}"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${LABEL_WIDTH / 2}" y="14">${LABEL}</text>
<text x="${LABEL_WIDTH + width / 2}" y="14">${verdict}</text>
</g>
</svg>
`;
}
