import type { Command } from 'commander';
import type { GivenRules } from '../model/given-rules.ts';
import { collect } from './option-values.ts';
import type { World } from './world.ts';

const FORM = 'a path like /log/** or a CSS selector like .ad; may be repeated';
const EVENT_FORM = 'a path like /log/**, a section like #install*, or a CSS selector like .ad; may be repeated';

/** What is left out of pages, or read alone. */
export function addRuleOptions(command: Command): Command {
  return command
    .option('--ignore <rule>', `leave these pages or elements out: ${FORM}`, collect)
    .option('--only <rule>', `read these pages or elements alone: ${FORM}`, collect);
}

/** … and of which sections nothing is told, or of which alone. */
export function addEventRuleOptions(command: Command): Command {
  return command
    .option('--ignore <rule>', `leave these pages, sections or elements out: ${EVENT_FORM}`, collect)
    .option('--only <rule>', `tell of these pages, sections or elements alone: ${EVENT_FORM}`, collect);
}

/** Those of the flags, else those of the settings. */
export function ruleOptionsOf(options: Readonly<Record<string, unknown>>, { settings }: World): GivenRules {
  const { ignore = settings?.ignore, only = settings?.only } = options as GivenRules;
  return { ...(ignore !== undefined && { ignore }), ...(only !== undefined && { only }) };
}
