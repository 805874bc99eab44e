import { formatTime } from '../../codecs/primitives/time.ts';
import type { Job } from './job-board.ts';

/** A job as the API shows it. */
export interface JobView extends Pick<Job, 'id' | 'what' | 'source' | 'done' | 'total' | 'unit' | 'outcome'> {
  readonly startedAt: string;
  readonly endedAt?: string;
}

export function viewJob({ id, what, source, done, total, unit, startedMs, endedMs, outcome }: Job): JobView {
  return {
    id,
    what,
    ...(source !== undefined && { source }),
    done,
    ...(total !== undefined && { total }),
    unit,
    startedAt: formatTime(startedMs),
    ...(endedMs !== undefined && { endedAt: formatTime(endedMs) }),
    ...(outcome !== undefined && { outcome }),
  };
}

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const moment = { type: 'string', format: 'date-time' } as const;

export const JOB_SCHEMA = {
  type: 'object',
  required: ['id', 'what', 'done', 'unit', 'startedAt'],
  properties: {
    id: text,
    what: { ...text, description: 'What the job does, in words.' },
    source: { ...text, description: 'The source that the job is about.' },
    done: { ...whole, description: 'Number of units done.' },
    total: { ...whole, description: 'Total number of units, as far as known.' },
    unit: text,
    startedAt: moment,
    endedAt: moment,
    outcome: { enum: ['done', 'failed'] },
  },
} as const;
