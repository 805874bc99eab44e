import type { Command } from 'commander';
import type { GivenRules } from '../model/given-rules.ts';
import { collect } from './option-values.ts';

const FORM = 'a path like /log/** or a CSS selector like .ad; may be repeated';

/** What is left out of pages, or read alone. */
export function addRuleOptions(command: Command): Command {
  return command
    .option('--ignore <rule>', `leave these pages or elements out: ${FORM}`, collect)
    .option('--only <rule>', `read these pages or elements alone: ${FORM}`, collect);
}

/** Those of the flags, else those of the settings. */
export function ruleOptionsOf({ ignore, only }: Readonly<Record<string, unknown>>): GivenRules {
  return { ignore, only } as GivenRules;
}
