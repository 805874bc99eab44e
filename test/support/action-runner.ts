import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

/** The parts of a composite action that ours uses. */
export interface CompositeAction {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

export interface ActionStep {
  readonly id: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

export interface ActionRun {
  readonly inputs: Readonly<Record<string, string>>;
  /** Where the repository is checked out. */
  readonly workspace: string;
  readonly event: { readonly name: string; readonly payload: object };
  /** Further variables that the runner sets for the repository. */
  readonly env: Readonly<Record<string, string>>;
  readonly token: string;
}

export interface ActionResult {
  /** The exit code of the failed step; 0 if none failed. */
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  /** By the id of the step: the inputs of an action of others. */
  readonly used: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly ran: readonly string[];
}

export function readAction(): CompositeAction {
  return parse(readFileSync('action.yml', 'utf8')) as CompositeAction;
}

/** Runs the steps like GitHub's runner: expressions in `env`, `with` and `if`, bash for scripts, files for the outputs of steps. */
export async function runAction(action: CompositeAction, given: ActionRun): Promise<ActionResult> {
  const temp = mkdtempSync(join(tmpdir(), 'tidings-runner-'));
  const files = { event: join(temp, 'event.json'), summary: join(temp, 'summary.md') };
  writeFileSync(files.event, JSON.stringify(given.event.payload));
  writeFileSync(files.summary, '');
  mkdirSync(join(temp, 'temp'));
  const outputs: Record<string, Record<string, string>> = {};
  const lookUp = (name: string): string => {
    const [kind = '', first = '', , last = ''] = name.split('.');
    if (kind === 'inputs') return given.inputs[first] ?? evaluated(String(action.inputs[first]?.default ?? ''), lookUp);
    if (kind === 'steps') return outputs[first]?.[last] ?? '';
    if (name === 'github.token') return given.token;
    if (name === 'github.event_name') return given.event.name;
    throw new Error(`The runner does not know ${name}.`);
  };
  const result = {
    code: 0,
    log: '',
    summary: '',
    used: {} as Record<string, Record<string, string>>,
    ran: [] as string[],
  };
  for (const step of action.runs.steps) {
    if (step.if !== undefined && !isTrue(step.if, lookUp)) continue;
    result.ran.push(step.id);
    const all = (values: ActionStep['with'] = {}) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, evaluated(String(value), lookUp)]));
    if (step.uses !== undefined) {
      result.used[step.id] = all(step.with);
      continue;
    }
    const outputFile = join(temp, `${step.id}.out`);
    writeFileSync(outputFile, '');
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: temp,
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: resolve('.'),
      GITHUB_EVENT_NAME: given.event.name,
      GITHUB_EVENT_PATH: files.event,
      GITHUB_STEP_SUMMARY: files.summary,
      GITHUB_OUTPUT: outputFile,
      RUNNER_TEMP: join(temp, 'temp'),
      ...given.env,
      ...all(step.env),
    };
    // A runner evaluates expressions in scripts before it runs them. Ours have none.
    const script = join(temp, `${step.id}.sh`);
    writeFileSync(script, evaluated(step.run ?? '', lookUp));
    const { code, log } = await bash(script, given.workspace, env);
    result.log += log;
    outputs[step.id] = Object.fromEntries(
      readFileSync(outputFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    result.code = code;
    if (code !== 0) break;
  }
  return { ...result, summary: readFileSync(files.summary, 'utf8') };
}

function evaluated(text: string, lookUp: (name: string) => string): string {
  return text.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => lookUp(name));
}

/** `a == 'b' && c != 'd'`. */
function isTrue(condition: string, lookUp: (name: string) => string): boolean {
  return condition.split('&&').every((part) => {
    const [, name = '', sign, value] = /^\s*([\w.-]+)\s*(==|!=)\s*'([^']*)'\s*$/.exec(part) ?? [];
    if (sign === undefined) throw new Error(`The runner does not know ${part}.`);
    return (lookUp(name) === value) === (sign === '==');
  });
}

async function bash(script: string, cwd: string, env: Record<string, string>): Promise<{ code: number; log: string }> {
  return await new Promise((done, failed) => {
    let log = '';
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], { cwd, env });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (log += text));
    child.on('error', failed).on('close', (code) => done({ code: code ?? -1, log }));
  });
}
