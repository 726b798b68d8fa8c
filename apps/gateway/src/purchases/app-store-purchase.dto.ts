import { PurchaseSource } from '@paywright/contracts';
import { Identifier, OptionalOneOf } from '../validation/fields.ts';
import { ReportedPurchaseDto } from './reported-purchase.dto.ts';

/** v1 `POST /purchases/apple-store/validate`. An id that the App Store cannot have given out names no transaction. */
export class AppStorePurchaseDto extends ReportedPurchaseDto {
  @Identifier() transactionId!: string;
  @Identifier() originalTransactionId!: string;
  @OptionalOneOf(PurchaseSource.options) source?: PurchaseSource | '' | null;
}
