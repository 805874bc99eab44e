import { GITLAB_FILE } from './see-host.ts';
import { type DeployStep, type SeenWorkflow, WORKFLOW_FOLDER } from './see-workflows.ts';
import { hasPlugin, publishCommand, type SetupFacts } from './setup-facts.ts';
import type { SetupStep, WantedFile } from './setup-step.ts';
import { gitlabPages, pagesWorkflow, publishStep } from './workflow-text.ts';

const PAGES_WORKFLOW = `${WORKFLOW_FOLDER}/pages.yml`;
const HIDDEN = 'include-hidden-files';
const OURS = /\btidings\b/;

/** The CI file to create if the project has none. */
export function wantedCiFile(facts: SetupFacts): WantedFile | undefined {
  const { ci, host, workflows } = facts;
  if (ci === 'gitlab') {
    return {
      path: GITLAB_FILE,
      text: gitlabPages(facts),
      isDone: (text) => hasPlugin(facts) || OURS.test(text),
      where: 'in the job that builds the site, behind its build',
      lines: `- ${publishCommand(facts)}`,
    };
  }
  if (ci !== 'github' || host?.name !== 'github-pages' || workflows.some(deploysSite)) return undefined;
  return {
    path: PAGES_WORKFLOW,
    text: pagesWorkflow(facts),
    isDone: (text) => OURS.test(text),
    where: 'behind its build',
    lines: publishStep(facts),
  };
}

/** What existing workflows need, and what must be done besides files. */
export function ciSteps(facts: SetupFacts): SetupStep[] {
  const { ci, host, workflows } = facts;
  if (ci !== 'github') return [];
  const deploying = workflows.filter(deploysSite);
  if (deploying.length > 0) return deploying.flatMap((workflow) => workflowSteps(workflow, facts));
  if (host?.name === 'github-pages') {
    return [
      { is: 'do', what: 'In the settings of the repository, under Pages, choose "GitHub Actions" as the source.' },
    ];
  }
  if (hasPlugin(facts)) return [];
  const known = workflows.find(({ text }) => OURS.test(text));
  if (known !== undefined) return [{ is: 'there', path: known.path, what: 'it publishes' }];
  return [
    { is: 'do', what: 'In the workflow that builds the site, behind its build, add:', lines: publishStep(facts) },
  ];
}

function deploysSite({ deploys }: SeenWorkflow): boolean {
  return deploys.length > 0;
}

function workflowSteps({ path, text, deploys }: SeenWorkflow, facts: SetupFacts): SetupStep[] {
  const steps: SetupStep[] = [];
  const [first] = deploys;
  if (!hasPlugin(facts) && !OURS.test(text) && first !== undefined) {
    steps.push({ is: 'add', path, where: `before the step "${first.name}"`, lines: publishStep(facts) });
  }
  for (const deploy of deploys.filter(dropsHidden)) {
    const where = `below "with:" of the step "${deploy.name}" (as @v5), which drops .well-known without it`;
    steps.push({ is: 'add', path, where, lines: `${HIDDEN}: true` });
  }
  return steps.length > 0 ? steps : [{ is: 'there', path, what: 'it publishes and uploads all files' }];
}

/** Up to v3 the action uploaded all files; v5 has an option for it. */
function dropsHidden({ how, name, inputs }: DeployStep): boolean {
  return how === 'pages-artifact' && !/@v[123](?:\.|$)/.test(name) && String(inputs[HIDDEN]) !== 'true';
}
