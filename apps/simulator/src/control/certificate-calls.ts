import { certificateStatuses } from '@paywright/stores/testing';
import { z } from 'zod';
import { certificateNames, type AppStoreRevocations } from '../app-store/revocations.ts';
import { bodyOf, ok, type Answer, type Call } from '../http/call.ts';

const NewStatus = z.strictObject({
  certificate: z.enum(certificateNames).default('leaf'),
  status: z.enum(certificateStatuses),
});

/** The calls on what the issuers of the App Store's certificates say of them. */
export function certificateCalls(revocations: AppStoreRevocations) {
  const show = (): Answer => ok(revocations.statuses);
  return {
    show,
    set: (call: Call): Answer => {
      const { certificate, status } = bodyOf(call, NewStatus);
      revocations.set(certificate, status);
      return show();
    },
  };
}
