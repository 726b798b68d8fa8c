import type { topics } from '@paywright/contracts';
import type { AuditedChange } from '../catalog/audit-entry.ts';
import type { EventOn } from '../following/event-projection.ts';

/** What a person did to a model. */
export interface AuditedControl extends AuditedChange {
  /** Name of the admin token. */
  readonly actor: string;
}

/** What an audit row shows of an event of selection; null for what nobody did by hand. */
export function auditedControl(event: EventOn<typeof topics.selectionEvents>): AuditedControl | null {
  switch (event.type) {
    case 'ModelFrozen':
    case 'ModelUnfrozen': {
      const { actor, model } = event.body;
      const isFrozen = event.type === 'ModelFrozen';
      return named(actor, { model, isFrozen: !isFrozen }, { model, isFrozen });
    }
    case 'ModelGuardReleased':
    case 'ModelShareLimited': {
      const { actor, model, aiShare, formerAiShare } = event.body;
      return named(actor, { model, aiShare: formerAiShare }, { model, aiShare });
    }
    case 'PaywallServed':
    case 'DecisionSuperseded':
    case 'ModelGuardTripped':
      return null;
    default:
      event satisfies never;
      return null;
  }
}

const named = (actor: string | undefined, before: object, after: object): AuditedControl | null =>
  actor === undefined ? null : { actor, before, after };
