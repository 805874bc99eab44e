import { ADDRESSED } from './addressed-patterns.ts';
import { HARMING } from './harming-patterns.ts';
import { OVERRIDING } from './overriding-patterns.ts';
import type { RiskPattern } from './risk-pattern.ts';
import { ROLE_MARKS } from './role-mark-patterns.ts';
import { STEERING } from './steering-patterns.ts';

export const ENGLISH_PATTERNS: readonly RiskPattern[] = [
  ...OVERRIDING,
  ...ROLE_MARKS,
  ...ADDRESSED,
  ...STEERING,
  ...HARMING,
];
