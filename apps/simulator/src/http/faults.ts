import type { StoreName } from '../domain/purchase.ts';

export const answerFaults = ['timeout', 'slow', '429', '500', 'garbage', 'reset', '401', '404', '410', 'html'] as const;
export const notificationFaults = [
  'notification-drop',
  'notification-delay',
  'notification-double',
  'notification-reorder',
] as const;
export type AnswerFaultKind = (typeof answerFaults)[number];
export type NotificationFaultKind = (typeof notificationFaults)[number];

export interface Fault {
  readonly store: StoreName;
  readonly kind: AnswerFaultKind | NotificationFaultKind;
  /** How many answers, or notifications, still go wrong. */
  readonly count: number;
  /** Of `slow`: milliseconds of the machine. */
  readonly delayMs: number;
  /** Of `notification-delay`: ISO 8601 duration of the simulated clock. */
  readonly by: string;
}

const isOfAnswers = (kind: Fault['kind']): kind is AnswerFaultKind => answerFaults.some((each) => each === kind);

/** Faults that wait for what they spoil, each store's in their order. */
export class Faults {
  #waiting: readonly Fault[] = [];

  get waiting(): readonly Fault[] {
    return this.#waiting;
  }

  add(fault: Fault): void {
    this.#waiting = [...this.#waiting, fault];
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault of the store's next answer, if one waits for it. */
  takeForAnswer(store: StoreName): (Fault & { kind: AnswerFaultKind }) | null {
    const fault = this.#take((each) => each.store === store && isOfAnswers(each.kind));
    return fault && isOfAnswers(fault.kind) ? { ...fault, kind: fault.kind } : null;
  }

  /** The fault of the store's next notification, if one waits for it. */
  takeForNotification(store: StoreName): (Fault & { kind: NotificationFaultKind }) | null {
    const fault = this.#take((each) => each.store === store && !isOfAnswers(each.kind));
    return fault && !isOfAnswers(fault.kind) ? { ...fault, kind: fault.kind } : null;
  }

  #take(wanted: (fault: Fault) => boolean): Fault | null {
    const fault = this.#waiting.find(wanted);
    if (!fault) return null;
    this.#waiting = this.#waiting.flatMap((each) => {
      if (each !== fault) return [each];
      return each.count > 1 ? [{ ...each, count: each.count - 1 }] : [];
    });
    return fault;
  }
}
