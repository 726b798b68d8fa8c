import 'reflect-metadata';
import { topics } from '@paywright/contracts';
import { startWriteService } from '@paywright/write-service';
import { assemblePurchaseValidation } from './assemble-purchase-validation.ts';
import { purchaseValidationConfig } from './config.ts';
import { PurchaseValidationModule } from './purchase-validation.module.ts';

await startWriteService({
  name: 'purchase',
  topic: topics.purchaseCommands,
  config: purchaseValidationConfig,
  module: PurchaseValidationModule,
  assemble: assemblePurchaseValidation,
});
