import type { JobView } from '../doors/jobs.ts';
import { durationText } from './crawl-status.ts';

/** `First reading of docs: 120 of 400 pages, 12 s, about 28 s left`. */
export function jobLine({ what, source, done, total, unit, startedAt }: JobView, nowMs: number): string {
  const elapsedMs = Math.max(0, nowMs - Date.parse(startedAt));
  const of = total === undefined || total < done ? '' : ` of ${count(total)}`;
  const counted = done === 0 && of === '' ? '' : ` ${count(done)}${of} ${unit},`;
  const leftMs = total === undefined || done === 0 ? 0 : ((total - done) * elapsedMs) / done;
  const left = leftMs > 0 ? `, about ${durationText(leftMs)} left` : '';
  return `${what}${source === undefined ? '' : ` of ${source}`}:${counted} ${durationText(elapsedMs)}${left}`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
