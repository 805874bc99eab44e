import type { AlertSettings } from '../config/alert-settings.ts';
import { type Alert, type AlertKind, alertName } from './alert.ts';
import type { AlertRule, HubSigns, Symptom } from './alert-rules.ts';
import { plainLine } from './plain-line.ts';

/** An alert that begins; its id is made when it is written down. */
export type NewAlert = Omit<Alert, 'id'>;

export interface BoardStep {
  readonly raised: readonly NewAlert[];
  readonly cleared: readonly Alert[];
}

/** The maximum of open alerts per kind; those beyond are reported as one. */
const MOST_OF_A_KIND = 500;
const OTHERS = '(others)';

/**
 * Compares what is wrong now with what was reported: each problem is reported once when it begins, and once when it is over.
 *
 * A problem that comes and goes is reported once it has lasted for a while. Open alerts survive a restart; problems that are not reported yet do not.
 */
export class AlertBoard {
  readonly #rules: readonly AlertRule[];
  readonly #settings: AlertSettings;
  /** By name. */
  readonly #open = new Map<string, Alert>();
  /** Since when an unreported problem exists, and since when a reported one is over. */
  readonly #arising = new Map<string, number>();
  readonly #easing = new Map<string, number>();

  constructor(rules: readonly AlertRule[], settings: AlertSettings, open: readonly Alert[]) {
    this.#rules = rules;
    this.#settings = settings;
    for (const alert of open) this.#open.set(alertName(alert), alert);
  }

  /** Newest first. */
  open(): readonly Alert[] {
    return [...this.#open.values()].reverse();
  }

  count(): Readonly<Partial<Record<AlertKind, number>>> {
    const counts: Partial<Record<AlertKind, number>> = {};
    for (const { kind } of this.#open.values()) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  }

  /** What to report now. It counts as reported when {@link tell} and {@link end} are called with it. */
  look(signs: HubSigns): BoardStep {
    const steps = this.#rules.map((rule) => this.#lookBy(rule, signs));
    return { raised: steps.flatMap(({ raised }) => raised), cleared: steps.flatMap(({ cleared }) => cleared) };
  }

  tell(alert: Alert): void {
    this.#open.set(alertName(alert), alert);
    this.#arising.delete(alertName(alert));
  }

  end(alert: Alert): void {
    this.#open.delete(alertName(alert));
    this.#easing.delete(alertName(alert));
  }

  #lookBy(rule: AlertRule, signs: HubSigns): BoardStep {
    const { nowMs } = signs;
    const open = [...this.#open.values()].filter(({ kind }) => kind === rule.kind);
    const found = rule.find(signs, this.#settings, open);
    if (found === undefined) return { raised: [], cleared: [] };
    const now = new Map(bounded(found).map((symptom) => [alertName({ ...symptom, kind: rule.kind }), symptom]));
    for (const [name] of this.#arising) if (isOf(name, rule.kind) && !now.has(name)) this.#arising.delete(name);
    const holdMs = rule.isDamped ? this.#settings.holdSeconds * 1000 : 0;
    const easeMs = rule.isDamped ? this.#settings.easeSeconds * 1000 : 0;
    const raised = [...now].flatMap(([name, symptom]) => {
      if (this.#open.has(name)) {
        this.#easing.delete(name);
        return [];
      }
      return hasLasted(this.#arising, name, { nowMs, forMs: holdMs }) ? [newAlert(rule, symptom, nowMs)] : [];
    });
    const cleared = open.filter((alert) => {
      const name = alertName(alert);
      return !now.has(name) && hasLasted(this.#easing, name, { nowMs, forMs: easeMs });
    });
    return { raised, cleared };
  }
}

/** A clock that is set back makes nothing last longer than it should. */
function hasLasted(
  began: Map<string, number>,
  name: string,
  { nowMs, forMs }: { readonly nowMs: number; readonly forMs: number },
): boolean {
  const beganMs = Math.min(began.get(name) ?? nowMs, nowMs);
  began.set(name, beganMs);
  return nowMs - beganMs >= forMs;
}

function isOf(name: string, kind: AlertKind): boolean {
  return name.startsWith(`["${kind}",`);
}

function bounded(found: readonly Symptom[]): readonly Symptom[] {
  if (found.length <= MOST_OF_A_KIND) return found;
  const more = found.length - MOST_OF_A_KIND;
  return [...found.slice(0, MOST_OF_A_KIND), { subject: OTHERS, summary: `The same is true of ${more} others or so.` }];
}

function newAlert({ kind, severity, remedy }: AlertRule, symptom: Symptom, nowMs: number): NewAlert {
  const { subject, occurrence, sinceMs = nowMs, summary, source, url } = symptom;
  return {
    kind,
    severity,
    subject: plainLine(subject, 100),
    ...(occurrence !== undefined && { occurrence }),
    sinceMs,
    raisedMs: nowMs,
    summary: plainLine(summary, 500),
    remedy: plainLine(remedy.replaceAll('<id>', subject), 500),
    ...(source !== undefined && { source }),
    ...(url !== undefined && { url: plainLine(url, 500) }),
  };
}
