import { Inject, Injectable } from '@nestjs/common';
import { TakeNotification } from '@paywright/contracts';
import { CommandClient } from '@paywright/messaging';
import { Metrics, type Logger } from '@paywright/platform';
import { chainIdOf, notificationCommandId } from '@paywright/purchases';
import { StoreFault } from '@paywright/stores';
import type { Counter } from 'prom-client';
import { findApp } from '../admin/apps/find-app.ts';
import { Apps, type App } from '../catalog/apps.ts';
import { toApiError } from '../http/error-answer.ts';
import { LOGGER } from '../gateway-parts.ts';
import type { NotificationReader, PostedNotification, VerifiedNotification } from './notification-reader.ts';
import { refusedFor, type NotificationResult } from './notification-refusal.ts';

/** A store waits for half a minute; one that is told to come again does so in minutes or hours. */
const deliveryDeadlineMs = 5_000;

/** Takes notifications in: one that is accepted is in the log of requests, and outlives every process. */
@Injectable()
export class NotificationTaking {
  readonly #notifications: Counter;

  constructor(
    private readonly apps: Apps,
    private readonly commands: CommandClient,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const help = 'Notifications of the stores, by what became of them';
    this.#notifications = metrics.counter('notifications_total', help, ['store', 'result']);
  }

  /**
   * Resolves when the broker has the notification, or there is nothing to do about it.
   * @param appId as in the path
   * @throws ApiError APP_NOT_FOUND, and those of `refusedFor`; what `CommandClient.deliver` throws
   */
  async take(reader: NotificationReader, appId: string, posted: PostedNotification): Promise<void> {
    const app = findApp(this.apps, appId);
    const count = (result: NotificationResult) => this.#notifications.inc({ store: reader.store, result });
    try {
      await this.#deliver(reader, app, await reader.read(app, posted), posted);
    } catch (error) {
      if (!(error instanceof StoreFault)) {
        count(toApiError(error).status === 503 ? 'unavailable' : 'failed');
        throw error;
      }
      const { result, refusal } = refusedFor(reader.store, error);
      count(result);
      this.logger.warn(
        { requestId: posted.requestId, appId: app.id, store: reader.store, result, reason: error.message },
        'A notification was not taken',
      );
      if (refusal !== null) throw refusal;
      return;
    }
    count('accepted');
  }

  /** The same notification is the same command, however often it comes. */
  #deliver(
    { store }: NotificationReader,
    { id: appId }: App,
    verified: VerifiedNotification,
    { requestId, traceparent }: PostedNotification,
  ): Promise<void> {
    const { taken, originalId } = verified;
    const { notificationId } = taken.notification;
    return this.commands.deliver(TakeNotification, {
      id: notificationCommandId(appId, store, notificationId),
      appId,
      key: chainIdOf(appId, store, originalId ?? `notification:${notificationId}`),
      body: taken,
      deadlineMs: deliveryDeadlineMs,
      requestId,
      ...(traceparent !== null && { traceparent }),
    });
  }
}
