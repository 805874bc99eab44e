import { ciSteps, wantedCiFile } from './plan-ci.ts';
import { wantedConfig } from './plan-config.ts';
import { hostSteps, wantedHostFile } from './plan-host.ts';
import { IGNORED_FOLDER, KEY_PATH, keySecretStep, refusePublicKeyFolder } from './plan-key.ts';
import { wantedPlugin } from './plan-plugin.ts';
import type { ProjectFiles } from './project.ts';
import { hasPlugin, type SetupFacts } from './setup-facts.ts';
import type { SetupStep, WantedFile } from './setup-step.ts';

/** All steps that set a project up, in order. Reads files and writes none. */
export async function planSetup(files: ProjectFiles, facts: SetupFacts): Promise<readonly SetupStep[]> {
  const { packageFile, wantsKey } = facts;
  if (wantsKey) refusePublicKeyFolder(facts.output);
  const wanted = [wantedConfig(facts), await wantedPlugin(files, facts), wantedHostFile(facts), wantedCiFile(facts)];
  const steps: SetupStep[] = [];
  for (const file of wanted) if (file !== undefined) steps.push(await stepFor(files, file));
  steps.push(...ciSteps(facts), ...hostSteps(facts));
  if (wantsKey) steps.push(...(await keySteps(files, facts)));
  const needsPackage = packageFile.isThere && !packageFile.packages.has('tidings');
  // The GitHub action brings its own package.
  if (needsPackage && (hasPlugin(facts) || facts.ci !== 'github')) {
    steps.push({ is: 'do', what: 'Add the package:', lines: `${packageFile.manager.add} tidings` });
  }
  return steps;
}

async function stepFor(files: ProjectFiles, { path, text, isDone, where, lines }: WantedFile): Promise<SetupStep> {
  const blocked = await blockedAt(files, path);
  if (blocked !== undefined) return blocked;
  if ((await files.kindOf(path)) === undefined) return { is: 'write', path, text };
  const present = await files.read(path);
  if (present !== undefined && (present === text || isDone(present))) {
    return { is: 'there', path, what: 'it has what is needed' };
  }
  return { is: 'add', path, where, lines };
}

async function keySteps(files: ProjectFiles, facts: SetupFacts): Promise<SetupStep[]> {
  const ignored = await stepFor(files, IGNORED_FOLDER);
  if (ignored.is === 'add' || ignored.is === 'blocked') return [ignored];
  const blocked = await blockedAt(files, KEY_PATH);
  if (blocked !== undefined) return [blocked];
  if ((await files.kindOf(KEY_PATH)) !== undefined) {
    return [ignored, { is: 'there', path: KEY_PATH, what: 'a key is never written over' }];
  }
  return [ignored, { is: 'key', path: KEY_PATH }, keySecretStep(facts)];
}

/** Something that is not a file, at the path or on the way to it. */
async function blockedAt(files: ProjectFiles, path: string): Promise<SetupStep | undefined> {
  const parts = path.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const part = parts.slice(0, length).join('/');
    const kind = await files.kindOf(part);
    if (kind === undefined) return undefined;
    if (kind === (length === parts.length ? 'file' : 'folder')) continue;
    const what = {
      file: 'it is a file',
      folder: 'it is a folder',
      other: 'it leads out of the project, or is no file',
    };
    return { is: 'blocked', path, why: length === parts.length ? what[kind] : `${part}: ${what[kind]}` };
  }
  return undefined;
}
