import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Answer } from '../http/answer.ts';
import { AppStoreNotifications } from './app-store-notifications.ts';
import { postedIn, type NotificationReader } from './notification-reader.ts';
import { NotificationTaking } from './notification-taking.ts';
import { PlayNotifications } from './play-notifications.ts';
import { StripeNotifications } from './stripe-notifications.ts';

/** Where the stores tell what happened to purchases. */
@Controller('notifications/:appId')
export class NotificationsController {
  constructor(
    private readonly taking: NotificationTaking,
    private readonly ofAppStore: AppStoreNotifications,
    private readonly ofPlay: PlayNotifications,
    private readonly ofStripe: StripeNotifications,
  ) {}

  @Post('app-store')
  @HttpCode(200)
  appStore(@Param('appId') appId: string, @Req() request: FastifyRequest): Promise<Answer> {
    return this.#take(this.ofAppStore, appId, request);
  }

  @Post('play-store')
  @HttpCode(200)
  playStore(@Param('appId') appId: string, @Req() request: FastifyRequest): Promise<Answer> {
    return this.#take(this.ofPlay, appId, request);
  }

  @Post('stripe')
  @HttpCode(200)
  stripe(@Param('appId') appId: string, @Req() request: FastifyRequest): Promise<Answer> {
    return this.#take(this.ofStripe, appId, request);
  }

  async #take(reader: NotificationReader, appId: string, request: FastifyRequest): Promise<Answer> {
    await this.taking.take(reader, appId, postedIn(request));
    return new Answer({});
  }
}
