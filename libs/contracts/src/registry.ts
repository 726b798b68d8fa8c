import type { AnyCommandDefinition, AnyEventDefinition } from './message.ts';
import { AppCreated } from './catalog/app-created.event.ts';
import { CatalogReplaced } from './catalog/catalog-replaced.event.ts';
import { CreateApp } from './catalog/create-app.command.ts';
import { IssueKey } from './catalog/issue-key.command.ts';
import { KeyIssued } from './catalog/key-issued.event.ts';
import { KeyRevoked } from './catalog/key-revoked.event.ts';
import { ReplaceCatalog } from './catalog/replace-catalog.command.ts';
import { RevokeKey } from './catalog/revoke-key.command.ts';
import { EventsReported } from './impression/events-reported.event.ts';
import { ReportEvents } from './impression/report-events.command.ts';
import { CustomAttributeSet } from './profile/custom-attribute-set.event.ts';
import { ProfileCreated } from './profile/profile-created.event.ts';
import { ProfileUpdated } from './profile/profile-updated.event.ts';
import { SaveProfile } from './profile/save-profile.command.ts';
import { SetCustomAttributes } from './profile/set-custom-attributes.command.ts';
import { UpdateCustomAttribute } from './profile/update-custom-attribute.command.ts';
import { DecisionSuperseded } from './selection/decision-superseded.event.ts';
import { PaywallServed } from './selection/paywall-served.event.ts';
import { RecordFallback } from './selection/record-fallback.command.ts';
import { ServePaywall } from './selection/serve-paywall.command.ts';
import { topics, type Topic } from './topics.ts';

/** Which commands each command topic carries. */
export const commandsOf = {
  [topics.profileCommands]: [SaveProfile, SetCustomAttributes, UpdateCustomAttribute],
  [topics.catalogCommands]: [CreateApp, IssueKey, RevokeKey, ReplaceCatalog],
  [topics.selectionCommands]: [ServePaywall, RecordFallback],
  [topics.impressionCommands]: [ReportEvents],
} as const satisfies Partial<Record<Topic, readonly AnyCommandDefinition[]>>;

/** Which events each events topic carries: the public interface. */
export const eventsOf = {
  [topics.profileEvents]: [ProfileCreated, ProfileUpdated, CustomAttributeSet],
  [topics.catalogEvents]: [AppCreated, KeyIssued, KeyRevoked, CatalogReplaced],
  [topics.selectionEvents]: [PaywallServed, DecisionSuperseded],
  [topics.impressionEvents]: [EventsReported],
} as const satisfies Partial<Record<Topic, readonly AnyEventDefinition[]>>;

export type CommandTopic = keyof typeof commandsOf;
export type EventTopic = keyof typeof eventsOf;
