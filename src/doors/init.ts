import { planSetup } from '../init/plan-setup.ts';
import { type SaidOfProject, seeProject } from '../init/see-project.ts';
import type { SetupFacts } from '../init/setup-facts.ts';
import type { SetupStep } from '../init/setup-step.ts';
import { ProjectFolder } from '../io/files/project-folder.ts';
import { newLogKeyFile } from './log-key.ts';

export { GENERATOR_NAMES, GENERATORS } from '../init/generators.ts';
export { CI_NAMES, HOST_NAMES } from '../init/see-host.ts';
export type { SaidOfProject } from '../init/see-project.ts';
export type { SetupFacts } from '../init/setup-facts.ts';
export type { SetupStep } from '../init/setup-step.ts';

/** What was found in a project, and the steps that set it up. */
export interface Setup {
  readonly facts: SetupFacts;
  readonly steps: readonly SetupStep[];
}

/**
 * Examines a project and creates the files it needs to publish its changes. An existing file stays as it is: the steps say which lines to add to it. With
 * `dryRun` nothing is written.
 */
export async function setUpProject(folder: string, said: SaidOfProject & { readonly dryRun: boolean }): Promise<Setup> {
  const project = new ProjectFolder(folder, said.onRemark);
  const facts = await seeProject(project, said);
  const steps = await planSetup(project, facts);
  if (said.dryRun) return { facts, steps };
  for (const step of steps) {
    if (step.is === 'write') await project.create(step.path, step.text);
    if (step.is === 'key') await newLogKeyFile({ key: project.prepare(step.path) });
  }
  return { facts, steps };
}
