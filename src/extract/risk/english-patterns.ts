import { ADDRESSED } from './addressed-patterns.ts';
import { EXFILTRATING } from './exfiltration-patterns.ts';
import { OVERRIDING } from './overriding-patterns.ts';
import type { RiskPattern } from './risk-pattern.ts';
import { ROLE_CHANGING } from './role-change-patterns.ts';
import { ROLE_MARKS } from './role-mark-patterns.ts';
import { STEERING } from './steering-patterns.ts';
import { MISUSING } from './tool-misuse-patterns.ts';

export const ENGLISH_PATTERNS: readonly RiskPattern[] = [
  ...OVERRIDING,
  ...ROLE_CHANGING,
  ...ROLE_MARKS,
  ...ADDRESSED,
  ...STEERING,
  ...EXFILTRATING,
  ...MISUSING,
];
