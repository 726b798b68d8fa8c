import type { AnyCommandDefinition, AnyEventDefinition } from './message.ts';
import { AppCreated } from './catalog/app-created.event.ts';
import { CatalogReplaced } from './catalog/catalog-replaced.event.ts';
import { CreateApp } from './catalog/create-app.command.ts';
import { IssueKey } from './catalog/issue-key.command.ts';
import { KeyIssued } from './catalog/key-issued.event.ts';
import { KeyRevoked } from './catalog/key-revoked.event.ts';
import { RecordCredentialsChange } from './catalog/record-credentials-change.command.ts';
import { ReplaceCatalog } from './catalog/replace-catalog.command.ts';
import { RevokeKey } from './catalog/revoke-key.command.ts';
import { StoreCredentialsRemoved } from './catalog/store-credentials-removed.event.ts';
import { StoreCredentialsSet } from './catalog/store-credentials-set.event.ts';
import { DiscardDeadLetter } from './dead-letter/discard-dead-letter.command.ts';
import { RetryDeadLetter } from './dead-letter/retry-dead-letter.command.ts';
import { EventsReported } from './impression/events-reported.event.ts';
import { ReportEvents } from './impression/report-events.command.ts';
import { CustomAttributeSet } from './profile/custom-attribute-set.event.ts';
import { EraseProfile } from './profile/erase-profile.command.ts';
import { ProfileCreated } from './profile/profile-created.event.ts';
import { ProfileErased } from './profile/profile-erased.event.ts';
import { ProfileUpdated } from './profile/profile-updated.event.ts';
import { SaveProfile } from './profile/save-profile.command.ts';
import { SetCustomAttributes } from './profile/set-custom-attributes.command.ts';
import { UpdateCustomAttribute } from './profile/update-custom-attribute.command.ts';
import { AutoRenewalObserved } from './purchase/auto-renewal-observed.event.ts';
import { ForgetBuyer } from './purchase/forget-buyer.request.ts';
import { MoneyMoved } from './purchase/money-moved.event.ts';
import { MoneyShareTold } from './purchase/money-share-told.event.ts';
import { MoneyValued } from './purchase/money-valued.event.ts';
import { NotificationReceived } from './purchase/notification-received.event.ts';
import { ObservePurchase } from './purchase/observe-purchase.command.ts';
import { PurchaseAttributed } from './purchase/purchase-attributed.event.ts';
import { PurchaseClaimed } from './purchase/purchase-claimed.event.ts';
import { PurchaseReleased } from './purchase/purchase-released.event.ts';
import { PurchaseReplaced } from './purchase/purchase-replaced.event.ts';
import { PurchaseValidated } from './purchase/purchase-validated.event.ts';
import { RecordNotification } from './purchase/record-notification.command.ts';
import { RefundFailed } from './purchase/refund-failed.event.ts';
import { RefundReversed } from './purchase/refund-reversed.event.ts';
import { ReleasePurchase } from './purchase/release-purchase.command.ts';
import { ReplacePurchase } from './purchase/replace-purchase.command.ts';
import { SubscriptionChanged } from './purchase/subscription-changed.event.ts';
import { SubscriptionConfirmed } from './purchase/subscription-confirmed.event.ts';
import { TakeNotification } from './purchase/take-notification.request.ts';
import { TransactionObserved } from './purchase/transaction-observed.event.ts';
import { TransactionRefunded } from './purchase/transaction-refunded.event.ts';
import { TransactionRevoked } from './purchase/transaction-revoked.event.ts';
import { ValidatePurchase } from './purchase/validate-purchase.request.ts';
import { ValueMovements } from './purchase/value-movements.command.ts';
import { DecisionSuperseded } from './selection/decision-superseded.event.ts';
import { FreezeModel } from './selection/freeze-model.command.ts';
import { LimitModelShare } from './selection/limit-model-share.command.ts';
import { ModelFrozen } from './selection/model-frozen.event.ts';
import { ModelGuardReleased } from './selection/model-guard-released.event.ts';
import { ModelGuardTripped } from './selection/model-guard-tripped.event.ts';
import { ModelShareLimited } from './selection/model-share-limited.event.ts';
import { ModelUnfrozen } from './selection/model-unfrozen.event.ts';
import { PaywallServed } from './selection/paywall-served.event.ts';
import { RecordFallback } from './selection/record-fallback.command.ts';
import { ServePaywall } from './selection/serve-paywall.command.ts';
import { SetAiShare } from './selection/set-ai-share.command.ts';
import { topics, type Topic } from './topics.ts';

/** Which commands each command topic carries. */
export const commandsOf = {
  [topics.profileCommands]: [SaveProfile, SetCustomAttributes, UpdateCustomAttribute, EraseProfile],
  [topics.catalogCommands]: [CreateApp, IssueKey, RevokeKey, ReplaceCatalog, RecordCredentialsChange],
  [topics.selectionCommands]: [ServePaywall, RecordFallback, SetAiShare, LimitModelShare, FreezeModel],
  [topics.impressionCommands]: [ReportEvents],
  [topics.purchaseRequests]: [ValidatePurchase, TakeNotification, ForgetBuyer],
  [topics.purchaseCommands]: [ObservePurchase, ReplacePurchase, ReleasePurchase, ValueMovements, RecordNotification],
  [topics.deadLetterCommands]: [RetryDeadLetter, DiscardDeadLetter],
} as const satisfies Partial<Record<Topic, readonly AnyCommandDefinition[]>>;

/** Which events each events topic carries: the public interface. */
export const eventsOf = {
  [topics.profileEvents]: [ProfileCreated, ProfileUpdated, CustomAttributeSet, ProfileErased],
  [topics.catalogEvents]: [
    AppCreated,
    KeyIssued,
    KeyRevoked,
    CatalogReplaced,
    StoreCredentialsSet,
    StoreCredentialsRemoved,
  ],
  [topics.selectionEvents]: [
    PaywallServed,
    DecisionSuperseded,
    ModelGuardTripped,
    ModelGuardReleased,
    ModelShareLimited,
    ModelFrozen,
    ModelUnfrozen,
  ],
  [topics.impressionEvents]: [EventsReported],
  [topics.purchaseEvents]: [
    PurchaseValidated,
    PurchaseClaimed,
    PurchaseAttributed,
    TransactionObserved,
    TransactionRefunded,
    RefundReversed,
    RefundFailed,
    TransactionRevoked,
    SubscriptionChanged,
    SubscriptionConfirmed,
    AutoRenewalObserved,
    MoneyMoved,
    MoneyValued,
    MoneyShareTold,
    PurchaseReplaced,
    PurchaseReleased,
    NotificationReceived,
  ],
} as const satisfies Partial<Record<Topic, readonly AnyEventDefinition[]>>;

export type CommandTopic = keyof typeof commandsOf;
export type EventTopic = keyof typeof eventsOf;
