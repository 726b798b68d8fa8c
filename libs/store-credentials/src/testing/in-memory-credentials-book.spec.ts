import { ManualClock } from '@paywright/platform';
import { credentialsKeepingContract } from '../credentials-keeping.contract.ts';
import { InMemoryCredentialsBook } from './in-memory-credentials-book.ts';

credentialsKeepingContract(() => {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  return { book: new InMemoryCredentialsBook(clock), clock };
});
