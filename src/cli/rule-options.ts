import type { Command } from 'commander';
import type { GivenRules } from '../model/given-rules.ts';
import { collect } from './option-values.ts';
import type { World } from './world.ts';

const FORM = 'a path like /log/** or a CSS selector like .ad (repeatable)';
const EVENT_FORM = 'a path like /log/**, a section like #install*, or a CSS selector like .ad (repeatable)';

/** What is left out of pages, or read alone. */
export function addRuleOptions(command: Command): Command {
  return command
    .option('--ignore <rule>', `skip these pages or elements: ${FORM}`, collect)
    .option('--only <rule>', `read only these pages or elements: ${FORM}`, collect);
}

/** … and which sections are left out, or are the only ones reported. */
export function addEventRuleOptions(command: Command): Command {
  return command
    .option('--ignore <rule>', `skip these pages, sections or elements: ${EVENT_FORM}`, collect)
    .option('--only <rule>', `report only these pages, sections or elements: ${EVENT_FORM}`, collect);
}

/** From the flags, else from the settings. */
export function ruleOptionsOf(options: Readonly<Record<string, unknown>>, { settings }: World): GivenRules {
  const { ignore = settings?.ignore, only = settings?.only } = options as GivenRules;
  return { ...(ignore !== undefined && { ignore }), ...(only !== undefined && { only }) };
}
