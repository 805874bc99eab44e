/** The running jobs of a hub that take a while. */
export type { Job } from '../hub/jobs/job-board.ts';
export { type JobView, viewJob } from '../hub/jobs/job-view.ts';
