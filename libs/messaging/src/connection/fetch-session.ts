import type { FetchRequest } from 'kafkajs/src/broker/index.js';

type WantedTopics = FetchRequest['topics'];
type WantedPartition = WantedTopics[number]['partitions'][number];

/** The part of a fetch request that says what is fetched. */
export interface SessionRequest {
  readonly sessionId: number;
  readonly sessionEpoch: number;
  /** What the broker is to fetch otherwise than before. */
  readonly topics: WantedTopics;
  /** What it is to fetch no longer. */
  readonly forgottenTopics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

interface KnownPartition {
  readonly fetchOffset: string;
  /** The request that wanted it last. */
  round: number;
}

const noSession = 0;
/** Asks for a session, and ends the one that is named. */
const firstEpoch = 0;
const lastEpoch = 2 ** 31 - 1;

/**
 * What a broker knows of what one consumer fetches from it: each request tells what has changed since the one before, and
 * the answer tells of partitions that have news (KIP-227). One request at a time.
 */
export class FetchSession {
  #id = noSession;
  #epoch = firstEpoch;
  #round = 0;
  readonly #known = new Map<string, Map<number, KnownPartition>>();

  request(wanted: WantedTopics): SessionRequest {
    this.#round++;
    const topics = wanted.flatMap(({ topic, partitions }) => {
      const known = this.#known.get(topic) ?? new Map<number, KnownPartition>();
      this.#known.set(topic, known);
      const changed = partitions.filter((partition) => this.#isNews(known, partition));
      return changed.length === 0 ? [] : [{ topic, partitions: changed }];
    });
    return { sessionId: this.#id, sessionEpoch: this.#epoch, topics, forgottenTopics: this.#forget() };
  }

  /** @param sessionId as the broker answered; 0 or absent if it keeps none for this consumer */
  answered(sessionId = noSession): void {
    if (sessionId === noSession) return this.end();
    this.#id = sessionId;
    this.#epoch = this.#epoch === lastEpoch ? firstEpoch + 1 : this.#epoch + 1;
  }

  /** Whatever the broker knows, the next request tells all and asks for a session of its own. */
  end(): void {
    this.#known.clear();
    this.#epoch = firstEpoch;
  }

  #isNews(ofTopic: Map<number, KnownPartition>, { partition, fetchOffset }: WantedPartition): boolean {
    const known = ofTopic.get(partition);
    if (known?.fetchOffset === fetchOffset) {
      known.round = this.#round;
      return false;
    }
    ofTopic.set(partition, { fetchOffset, round: this.#round });
    return true;
  }

  /** Partitions of before that this round did not want. */
  #forget(): SessionRequest['forgottenTopics'] {
    const forgotten = [];
    for (const [topic, ofTopic] of this.#known) {
      const partitions = [];
      for (const [partition, { round }] of ofTopic) {
        if (round === this.#round) continue;
        ofTopic.delete(partition);
        partitions.push(partition);
      }
      if (partitions.length > 0) forgotten.push({ topic, partitions });
    }
    return forgotten;
  }
}
