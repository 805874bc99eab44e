import { createRequire } from 'node:module';

/** Whether a build service runs this process: all of them set `CI`. */
export function isBuildService(): boolean {
  const { CI } = process.env;
  return CI !== undefined && !/^(?:|0|false)$/i.test(CI);
}

/** The arguments after the name of the program. */
export function commandWords(): readonly string[] {
  return process.argv.slice(2);
}

/** For generators that give plugins no logger. */
export const terminalLines = {
  info: (line: string) => void process.stdout.write(`${line}\n`),
  warn: (line: string) => void process.stderr.write(`${line}\n`),
};

/** The folder that the program was started in. */
export function startFolder(): string {
  return process.cwd();
}

/**
 * A door of this package, by its own name, as Node itself loads it.
 *
 * Docusaurus translates the modules of plugins and all that they load, which the rest of this package does not survive.
 */
export function nativeDoor<Door>(name: string): Door {
  return createRequire(import.meta.url)(name);
}
