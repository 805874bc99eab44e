import { parseTree } from '../codecs/api-description/parse-tree.ts';
import { isRecord } from '../codecs/primitives/json-record.ts';
import type { ProjectFiles } from './project.ts';

export const WORKFLOW_FOLDER = '.github/workflows';
/** More than any project has. */
const MAX_WORKFLOWS = 100;

/** A step of a workflow that deploys pages. */
export interface DeployStep {
  readonly how: 'pages-artifact' | 'pages-branch' | 's3' | 'other';
  /** Its name in the file: the action, or the beginning of the command. */
  readonly name: string;
  /** Its `with:` inputs. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

export interface SeenWorkflow {
  readonly path: string;
  readonly text: string;
  readonly deploys: readonly DeployStep[];
}

const ACTIONS: readonly (readonly [RegExp, DeployStep['how']])[] = [
  [/^actions\/upload-pages-artifact@/, 'pages-artifact'],
  [/^(?:peaceiris\/actions-gh-pages|JamesIves\/github-pages-deploy-action)@/, 'pages-branch'],
  [
    /^(?:cloudflare\/wrangler-action|cloudflare\/pages-action|nwtgck\/actions-netlify|amondnet\/vercel-action)@/,
    'other',
  ],
];
export const S3_COMMAND = /\baws\s+s3\s+(?:sync|cp)\b/;

/** The GitHub Actions workflows. One that is not valid YAML is remarked on, and has no steps. */
export async function seeWorkflows(
  files: ProjectFiles,
  onRemark: (remark: string) => void,
): Promise<readonly SeenWorkflow[]> {
  const names = (await files.list(WORKFLOW_FOLDER)).filter((name) => /\.ya?ml$/.test(name)).slice(0, MAX_WORKFLOWS);
  const seen: SeenWorkflow[] = [];
  for (const name of names) {
    const path = `${WORKFLOW_FOLDER}/${name}`;
    const text = await files.read(path);
    if (text === undefined) continue;
    const parsed = await parseTree(text);
    if (!parsed.ok) onRemark(`${path}: ${parsed.reason}. Its steps are not seen.`);
    seen.push({ path, text, deploys: parsed.ok ? stepsIn(parsed.tree).flatMap(deployOf) : [] });
  }
  return seen;
}

function stepsIn(tree: unknown): readonly unknown[] {
  const jobs = isRecord(tree) && isRecord(tree.jobs) ? Object.values(tree.jobs) : [];
  return jobs.flatMap((job) => (isRecord(job) && Array.isArray(job.steps) ? job.steps : []));
}

function deployOf(step: unknown): readonly DeployStep[] {
  if (!isRecord(step)) return [];
  const { uses, run } = step;
  const inputs = isRecord(step.with) ? step.with : {};
  const how = typeof uses === 'string' ? ACTIONS.find(([action]) => action.test(uses))?.[1] : undefined;
  if (how !== undefined) return [{ how, name: String(uses), inputs }];
  const command = typeof run === 'string' ? S3_COMMAND.exec(run)?.[0] : undefined;
  return command === undefined ? [] : [{ how: 's3', name: command, inputs }];
}
