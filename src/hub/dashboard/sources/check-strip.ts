import { formatTime } from '../../../codecs/primitives/time.ts';
import { type Html, html } from '../../http/html.ts';
import { count, counted } from '../../http/html-pieces.ts';
import type { CheckRecord, CheckWord } from '../../store/hub-store.ts';

/** Checks in a row that came to the same. */
export interface CheckStretch {
  readonly outcome: CheckWord;
  readonly from: string;
  readonly to: string;
  readonly checks: number;
}

/** The outcomes of checks, oldest first. `checks`: newest first. */
export function checkStretches(checks: readonly CheckRecord[]): readonly CheckStretch[] {
  const stretches: CheckStretch[] = [];
  for (const { outcome, atMs } of checks.toReversed()) {
    const last = stretches.at(-1);
    const at = formatTime(atMs);
    if (last?.outcome === outcome) stretches[stretches.length - 1] = { ...last, to: at, checks: last.checks + 1 };
    else stretches.push({ outcome, from: at, to: at, checks: 1 });
  }
  return stretches;
}

const WORDS: Readonly<Record<CheckWord, string>> = { ok: 'ok', fallback: 'by a fallback', error: 'failed' };
/** Worse outcomes are higher, for people who cannot distinguish the colours. */
const HEIGHTS: Readonly<Record<CheckWord, number>> = { ok: 12, fallback: 20, error: 28 };
const HEIGHT = 28;
/** Fewer checks do not fill the strip. */
const FEWEST_COLUMNS = 50;

/** One column for each check, the newest at the right. */
export function checkStrip(stretches: readonly CheckStretch[]): Html {
  const [first, last] = [stretches[0], stretches.at(-1)];
  const total = stretches.reduce((sum, { checks }) => sum + checks, 0);
  const width = Math.max(total, FEWEST_COLUMNS);
  let x = width - total;
  const columns = stretches.map((stretch) => {
    const column = shownStretch(stretch, x);
    x += stretch.checks;
    return column;
  });
  return html`<figure class="strip">
<svg role="img" aria-label="${summaryOf(stretches)}" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none">${columns}</svg>
${total === width && html`<p class="axis faint"><span>${dayOf(first?.from)}</span><span>${dayOf(last?.to)}</span></p>\n`}<figcaption>${summaryOf(stretches)}</figcaption>
</figure>`;
}

function shownStretch({ outcome, from, to, checks }: CheckStretch, x: number): Html {
  const when = checks === 1 ? from : `${from} to ${to}`;
  const height = HEIGHTS[outcome];
  return html`<rect class="${outcome}" x="${x}" y="${HEIGHT - height}" width="${checks}" height="${height}"><title>${counted(checks, 'check')} ${WORDS[outcome]}: ${when}</title></rect>`;
}

function summaryOf(stretches: readonly CheckStretch[]): string {
  const sums: Record<CheckWord, number> = { ok: 0, fallback: 0, error: 0 };
  for (const { outcome, checks } of stretches) sums[outcome] += checks;
  const parts = (['ok', 'fallback', 'error'] as const).filter((word) => sums[word] > 0 || word !== 'fallback');
  const total = sums.ok + sums.fallback + sums.error;
  return `${counted(total, 'check')}: ${parts.map((word) => `${count(sums[word])} ${WORDS[word]}`).join(', ')}.`;
}

function dayOf(time = ''): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}
