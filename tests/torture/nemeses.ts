import { crashAtAPoint } from './nemeses/crash-at-a-point.ts';
import { crashDatabase } from './nemeses/crash-database.ts';
import { deliverAgain } from './nemeses/deliver-again.ts';
import { cutLink, lostAnswers, silentLink } from './nemeses/disturb-link.ts';
import { fillDisk } from './nemeses/fill-disk.ts';
import { fillLog } from './nemeses/fill-log.ts';
import { freezePart } from './nemeses/freeze.ts';
import { forgetInbox } from './nemeses/forget-inbox.ts';
import { forgetOffsets } from './nemeses/forget-offsets.ts';
import { killService } from './nemeses/kill-service.ts';
import { clockBehind, moveClock } from './nemeses/move-clock.ts';
import { freezeOneBroker, loseOneBroker, rollBrokers, stopOneBroker } from './nemeses/one-broker.ts';
import { poison } from './nemeses/poison.ts';
import { rebalanceStorm } from './nemeses/rebalance-storm.ts';
import { refuseRows } from './nemeses/refuse-rows.ts';
import { replayProjection } from './nemeses/replay-projection.ts';
import { rollingRestart } from './nemeses/rolling-restart.ts';
import { slowDatabase } from './nemeses/slow-database.ts';
import { stopBroker } from './nemeses/stop-broker.ts';
import type { Nemesis } from './nemesis.ts';

/** All there are, N1 to N13. */
export const nemeses: readonly Nemesis[] = [
  killService,
  crashAtAPoint,
  stopBroker,
  freezePart,
  cutLink,
  silentLink,
  lostAnswers,
  crashDatabase,
  fillDisk,
  fillLog,
  deliverAgain,
  forgetInbox,
  forgetOffsets,
  moveClock,
  clockBehind,
  rebalanceStorm,
  slowDatabase,
  poison,
  refuseRows,
  rollingRestart,
  replayProjection,
  stopOneBroker,
  freezeOneBroker,
  loseOneBroker,
  rollBrokers,
];

/** What no nemesis does, and why: a suite that is silent about it would promise too much. */
export const notDone: readonly { readonly fault: string; readonly what: string; readonly why: string }[] = [
  { fault: 'N6', what: 'slow disk', why: 'takes dm-delay or a file system in user space; slow-database comes nearest' },
  {
    fault: 'N8',
    what: 'the machine’s own clock',
    why: 'broker and database share it with everything else here; the clock of a service is moved instead',
  },
  {
    fault: 'N10',
    what: 'a burst of ten times the load',
    why: 'npm run bench -- --only overload does that; here clients wait for their answers',
  },
  {
    fault: 'all',
    what: '300 requests a second, and each fault 20 times',
    why: 'two cores bear product, servers and clients at some 50; --clients and --minutes set both',
  },
  { fault: 'N12', what: 'two versions side by side', why: 'npm run rolling does that' },
  { fault: 'N5', what: 'loss of power', why: 'what the operating system has taken survives any end of a process' },
];
