import { PurchaseSource } from '@paywright/contracts';
import { Matching, OptionalOneOf } from '../validation/fields.ts';
import { ReportedPurchaseDto } from './reported-purchase.dto.ts';

/** Anything else would only be refused by Apple, or change the address that is asked. */
const TransactionId = () => Matching(/^\d{1,32}$/, 'must be a text of 1 to 32 digits.');

/** v1 `POST /purchases/apple-store/validate`. */
export class AppStorePurchaseDto extends ReportedPurchaseDto {
  @TransactionId() transactionId!: string;
  @TransactionId() originalTransactionId!: string;
  @OptionalOneOf(PurchaseSource.options) source?: PurchaseSource | '' | null;
}
