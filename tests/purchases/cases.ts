import { describe } from '@jest/globals';
import { aYearCases } from './cases/a-year.ts';
import { appSettingCases } from './cases/app-settings.ts';
import { appStoreNotificationCases } from './cases/app-store-notifications.ts';
import { appStoreValidateCases } from './cases/app-store-validate.ts';
import { erasedBuyerCases } from './cases/erased-buyer.ts';
import { forgedAnswerCases } from './cases/forged-answers.ts';
import { forgedAppStoreCases } from './cases/forged-app-store.ts';
import { forgedPlayStoreCases } from './cases/forged-play-store.ts';
import { moneyCases } from './cases/money.ts';
import { nextChargeCases } from './cases/next-charge.ts';
import { overdueNewsCases } from './cases/overdue-news.ts';
import { playStoreCases } from './cases/play-store.ts';
import { secretsCases } from './cases/secrets.ts';
import { storeFaultCases } from './cases/store-faults.ts';
import { stripeCases } from './cases/stripe.ts';
import type { World } from './world.ts';

export function purchaseCases(world: () => World): void {
  // One product for all: the clock only goes forward, so each case has profiles and purchases of its own. The year
  // comes first: all that was sold before it would be renewed with it, month by month.
  describe('a year', () => aYearCases(world));
  describe('App Store: what an app reports', () => appStoreValidateCases(world));
  describe('App Store: what the store tells', () => appStoreNotificationCases(world));
  describe('Google Play', () => playStoreCases(world));
  describe('Stripe', () => stripeCases(world));
  describe('money and whose it is', () => moneyCases(world));
  describe('the next charge, as stores tell it', () => nextChargeCases(world));
  describe('forged App Store notifications', () => forgedAppStoreCases(world));
  describe('forged App Store answers', () => forgedAnswerCases(world));
  describe('forged Play notifications', () => forgedPlayStoreCases(world));
  describe('what an app’s settings decide', () => appSettingCases(world));
  describe('a store that fails', () => storeFaultCases(world));
  describe('news that is overdue', () => overdueNewsCases(world));
  describe('a buyer who is erased', () => erasedBuyerCases(world));
  describe('secrets', () => secretsCases(world));
}
