import { findPassages, PATTERNS } from './find-passages.ts';
import { plainLetters } from './plain-letters.ts';
import type { RiskPattern } from './risk-pattern.ts';
import { type SurveyHit, TextSurvey } from './text-survey.ts';

/** Whether a text contains anything to examine. If not, examineRisk finds nothing. */
export function isSuspicious(text: string): boolean {
  const { isSure, hits } = surveyOf(text);
  return isSure || holdsPassage(hits, (from, to) => [text.slice(Math.max(0, from - BEFORE), to + AFTER)]);
}

/** The patterns that may match in a text. All of them if it contains lookalike letters. */
export function likelyPatterns(text: string): ReadonlySet<RiskPattern> {
  const { isSure, hits } = surveyOf(text);
  return isSure ? ALL : new Set([...WITHOUT_CHAINS, ...hits.map(({ pattern }) => pattern)]);
}

const ALL: ReadonlySet<RiskPattern> = new Set(PATTERNS);
const WITHOUT_CHAINS = PATTERNS.filter(({ chains = [] }) => chains.length === 0);

function surveyOf(text: string): TextSurvey {
  const survey = new TextSurvey();
  for (let at = 0; at < text.length; at += STEP) survey.read(text, at, Math.min(at + STEP, text.length));
  survey.end();
  return survey;
}

const STEP = 200;
/** The maximum length of a passage and its context before and after the words that revealed it. */
const BEFORE = 1000;
const AFTER = 600;

/** Whether one of the patterns matches near its words. Also true if the search would cost too much: then `textsAround` returns undefined. */
export function holdsPassage(
  hits: readonly SurveyHit[],
  textsAround: (from: number, to: number) => readonly string[] | undefined,
): boolean {
  for (const group of grouped(hits)) {
    const only = new Set(group.map(({ pattern }) => pattern));
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    const texts = textsAround(first.at, last.at);
    if (texts === undefined) return true;
    for (const text of texts) {
      if (findPassages(plainLetters(text), { isAbout: () => false, isConcealed: false }, only).length > 0) return true;
    }
  }
  return false;
}

/** Groups hits that are near each other. */
function grouped(hits: readonly SurveyHit[]): SurveyHit[][] {
  const groups: SurveyHit[][] = [];
  for (const hit of hits.toSorted((a, b) => a.at - b.at)) {
    const group = groups.at(-1);
    if (group !== undefined && hit.at - (group.at(-1)?.at ?? 0) < AFTER) group.push(hit);
    else groups.push([hit]);
  }
  return groups;
}
