export interface WantedTopic<P extends WantedPartition = WantedPartition> {
  readonly topic: string;
  readonly partitions: readonly P[];
}

export interface WantedPartition {
  readonly partition: number;
  /** Decimal digits. */
  readonly fetchOffset: string;
}

/** The part of a fetch request that says what is fetched. */
export interface SessionRequest<P extends WantedPartition> {
  readonly sessionId: number;
  readonly sessionEpoch: number;
  /** What the broker is to fetch otherwise than before. */
  readonly topics: readonly WantedTopic<P>[];
  /** What it is to fetch no longer. */
  readonly forgottenTopics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

interface KnownPartition {
  fetchOffset: string;
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

  request<P extends WantedPartition>(wanted: readonly WantedTopic<P>[]): SessionRequest<P> {
    this.#round++;
    const topics = wanted.flatMap(({ topic, partitions }) => {
      const changed = partitions.filter((partition) => this.#isNews(topic, partition));
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

  #isNews(topic: string, { partition, fetchOffset }: WantedPartition): boolean {
    const ofTopic = this.#known.get(topic) ?? new Map<number, KnownPartition>();
    this.#known.set(topic, ofTopic);
    const known = ofTopic.get(partition);
    if (known?.fetchOffset === fetchOffset) {
      known.round = this.#round;
      return false;
    }
    ofTopic.set(partition, { fetchOffset, round: this.#round });
    return true;
  }

  /** Partitions of before that this round did not want. */
  #forget(): SessionRequest<WantedPartition>['forgottenTopics'] {
    const forgotten = [];
    for (const [topic, ofTopic] of this.#known) {
      const partitions = [];
      for (const [partition, { round }] of ofTopic) if (round !== this.#round) partitions.push(partition);
      for (const partition of partitions) ofTopic.delete(partition);
      if (partitions.length > 0) forgotten.push({ topic, partitions });
    }
    return forgotten;
  }
}
