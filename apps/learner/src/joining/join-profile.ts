import { exposureCredited, exposureOf, isOf, startRecord } from './crediting.ts';
import type { Credited, Fact, Joined, Learned, Loss } from './fact.ts';
import {
  creditMs,
  dueOfStart,
  dueOfView,
  forget,
  lateStartMs,
  lateViewMs,
  mostOfProfile,
  type Alias,
  type Decided,
  type Journey,
  type Start,
  type View,
} from './journey.ts';

/**
 * Joins what happened to a profile next to what is known of it. Pure. Exposures are the first views of decisions; a
 * start goes to the last exposure of its paywall, else to the last one, within 14 days; what cannot be joined yet
 * waits: a view for its decision, a start 25 h for a late view.
 * @param joinedUntil until when everything is joined: what comes behind the fact may be older than it, but not than this
 */
export function joinProfile(journey: Journey, fact: Fact, joinedUntil: number): Joined {
  const join = new Join(journey, joinedUntil);
  switch (fact.type) {
    case 'decided':
      join.decided(fact);
      break;
    case 'repeated':
      join.repeated(fact.id, fact.of, fact.at);
      break;
    case 'superseded':
      join.superseded(fact.id, fact.at);
      break;
    case 'viewed':
      join.viewed(fact.view, false);
      break;
    case 'started':
      join.started(fact.start, false);
      break;
    case 'left':
      join.left(fact.start);
      break;
    case 'passed':
      join.passed(fact.at);
      break;
    default:
      fact satisfies never;
  }
  return join.end();
}

/** One step of a journey, in the making. */
class Join {
  #journey: Journey;
  readonly #joinedUntil: number;
  readonly #records: Learned[] = [];
  readonly #credited: Credited[] = [];
  readonly #losses: Loss[] = [];

  constructor(journey: Journey, joinedUntil: number) {
    this.#journey = journey;
    this.#joinedUntil = joinedUntil;
  }

  end(): Joined {
    return { journey: this.#journey, records: this.#records, credited: this.#credited, losses: this.#losses };
  }

  decided({ decided, stickyUntil, probabilities }: Extract<Fact, { type: 'decided' }>): void {
    const { decisions, aliases } = this.#journey;
    const { id, at, model, paywall } = decided;
    if (decisions.some((one) => one.id === id) || aliases.some((one) => one.id === id)) return;
    if (probabilities.length > 0)
      this.#records.push({ model, record: { type: 'decision', id, at, paywall, probabilities } });
    const repeatedUntil = Math.min(stickyUntil ?? at, at + creditMs);
    const fresh = { ...decided, shownAt: null, keptUntil: repeatedUntil + lateViewMs };
    this.#journey = { ...this.#journey, decisions: [...decisions, fresh] };
    this.#lookAgain((view) => view.decisionId === id || (view.decisionId === null && isOf(view, fresh)));
    this.#journey = forget(this.#journey, this.#joinedUntil);
  }

  repeated(id: string, of: string, at: number): void {
    if (!this.#journey.aliases.some((one) => one.id === id)) this.#alias({ id, of, keptUntil: at + lateViewMs });
  }

  /**
   * Its own command may come later than its end. One that was shown was shown, whatever came of it; and one that is
   * superseded was given all the same while a repetition of it counts.
   */
  superseded(id: string, at: number): void {
    const { decisions, aliases } = this.#journey;
    if (decisions.some((one) => one.id === id && one.shownAt !== null)) return;
    const first = aliases.find((one) => one.id === id)?.of ?? id;
    this.#journey = { ...this.#journey, aliases: aliases.filter((one) => one.id !== id) };
    this.#alias({ id, of: null, keptUntil: at + lateViewMs });
    if (!this.#isGiven(first)) this.#drop(first);
  }

  /** Whether the decision, or one that repeats it, counts. */
  #isGiven(id: string): boolean {
    const { aliases } = this.#journey;
    return aliases.some((one) => one.of === id) || !aliases.some((one) => one.id === id && one.of === null);
  }

  #drop(id: string): void {
    const { decisions } = this.#journey;
    this.#journey = { ...this.#journey, decisions: decisions.filter((one) => one.id !== id || one.shownAt !== null) };
  }

  #alias(alias: Alias): void {
    this.#journey = { ...this.#journey, aliases: [...this.#journey.aliases, alias].slice(-mostOfProfile) };
    const again = this.#givenAgain(alias);
    this.#lookAgain((view) => view.decisionId === alias.id || (again !== undefined && isOf(view, again)));
  }

  /** @param isLast whether it is not to wait any more */
  viewed(view: View, isLast: boolean): void {
    const decision = view.decisionId === null ? this.#latestOf(view) : this.#meantBy(view.decisionId);
    if (decision === null) return;
    if (decision !== undefined) this.#show(decision, view.at);
    else if (!isLast) this.#keepView(view);
    else if (view.decisionId === null) this.#showUnknown(view);
    else this.#losses.push('view without decision');
  }

  /** Until its decision comes. Of several views of a decision the first one counts. */
  #keepView(view: View): void {
    const { views } = this.#journey;
    if (view.decisionId !== null && views.some(({ decisionId }) => decisionId === view.decisionId)) return;
    const kept = [...views, view].slice(-mostOfProfile);
    if (kept.length === views.length) this.#losses.push('view without decision');
    this.#journey = { ...this.#journey, views: kept };
  }

  /** @param isLast whether it is not to wait any more */
  started(start: Start, isLast: boolean): void {
    const exposure = exposureCredited(this.#journey.decisions, start, isLast);
    if (exposure !== null) this.#credit(start, exposure);
    else if (isLast) this.#giveUp(start);
    else this.#keepStart(start);
  }

  left({ id }: Start): void {
    const { starts } = this.#journey;
    this.#journey = { ...this.#journey, starts: starts.filter((one) => one.id !== id) };
  }

  /** Until an exposure comes that it may go to. */
  #keepStart(start: Start): void {
    const starts = [...this.#journey.starts, start];
    this.#journey = { ...this.#journey, starts: starts.slice(-mostOfProfile) };
    for (const oldest of starts.slice(0, -mostOfProfile)) this.started(oldest, true);
  }

  #giveUp({ chain, id }: Start): void {
    this.#credited.push({ chain, id, model: null });
    this.#losses.push('start without exposure');
  }

  passed(now: number): void {
    const { views, starts } = this.#journey;
    const [lateViews, lateStarts] = [
      views.filter((one) => dueOfView(one) <= now),
      starts.filter((one) => dueOfStart(one) <= now),
    ];
    this.#journey = {
      ...this.#journey,
      views: views.filter((one) => !lateViews.includes(one)),
      starts: starts.filter((one) => !lateStarts.includes(one)),
    };
    for (const view of lateViews) this.viewed(view, true);
    for (const start of lateStarts) this.started(start, true);
    this.#journey = forget(this.#journey, now);
  }

  /** The decision that a token attests; null where it counts for nothing, undefined where it is not known yet. */
  #meantBy(id: string): Decided | null | undefined {
    const alias = this.#journey.aliases.find((one) => one.id === id);
    if (alias?.of === null) return null;
    return this.#journey.decisions.find((one) => one.id === (alias?.of ?? id));
  }

  /** The latest decision that a view without a token may be of, given then or again since. */
  #latestOf(view: View): Decided | undefined {
    const { decisions, aliases } = this.#journey;
    const again = aliases.flatMap((alias) => this.#givenAgain(alias) ?? []);
    const given = [...decisions, ...again].filter((one) => isOf(view, one)).toSorted((one, other) => one.at - other.at);
    const latest = given.at(-1);
    return latest && decisions.find(({ id }) => id === latest.id);
  }

  /** What a repeat gave, at the repeat's time. */
  #givenAgain({ of, keptUntil }: Alias): Decided | undefined {
    const decision = this.#journey.decisions.find(({ id }) => id === of);
    return decision && { ...decision, at: keptUntil - lateViewMs };
  }

  #show(decision: Decided, at: number): void {
    if (decision.shownAt !== null) return;
    const shown = { ...decision, shownAt: at, keptUntil: at + creditMs + lateStartMs };
    const { decisions } = this.#journey;
    this.#journey = { ...this.#journey, decisions: decisions.map((one) => (one.id === shown.id ? shown : one)) };
    this.#records.push({ model: shown.model, record: { type: 'shown', ...exposureOf(shown, at) } });
    this.#startAgain();
  }

  /** A view that no decision explains: its chances are not known, but what came of it can be learned from. */
  #showUnknown({ id, at, model, paywall, modelId, paywallId, placementId }: View): void {
    const { decisions } = this.#journey;
    if (model === null || paywall === null || paywallId === null || decisions.some((one) => one.id === id)) return;
    const values = decisions.at(-1)?.values ?? {};
    const unknown = { id, at, model, modelId, paywallId, placementId: placementId ?? '', paywall, values };
    const chances = { side: null, share: 0, logValue: null };
    const decision = { ...unknown, ...chances, profileCreatedAt: null, shownAt: null, keptUntil: at + creditMs };
    this.#losses.push('unknown propensity');
    this.#journey = { ...this.#journey, decisions: [...decisions, decision] };
    this.#show(decision, at);
  }

  #lookAgain(isMeant: (view: View) => boolean): void {
    const { views } = this.#journey;
    const found = views.filter(isMeant);
    if (found.length === 0) return;
    this.#journey = { ...this.#journey, views: views.filter((view) => !found.includes(view)) };
    for (const view of found) this.viewed(view, false);
  }

  #startAgain(): void {
    const { starts } = this.#journey;
    if (starts.length === 0) return;
    this.#journey = { ...this.#journey, starts: [] };
    for (const start of starts) this.started(start, false);
  }

  #credit(start: Start, decision: Decided): void {
    const { model } = decision;
    this.#records.push({ model, record: startRecord(start, decision) });
    const { chain, id } = start;
    this.#credited.push({ chain, id, model });
  }
}
