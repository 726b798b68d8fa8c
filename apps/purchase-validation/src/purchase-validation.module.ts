import { Module } from '@nestjs/common';
import { PurchaseConsumer } from './purchase.consumer.ts';

@Module({ controllers: [PurchaseConsumer] })
export class PurchaseValidationModule {}
